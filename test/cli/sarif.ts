// What a SARIF 2.1.0 log must be, as far as we write one, told from the specification (OASIS, sections 3.13 to 3.52).

type Json = { readonly [key: string]: unknown };

const LEVELS = ['none', 'note', 'warning', 'error'];

/** Every fault of a log; none of a good one. */
export function sarifFaults(log: unknown): string[] {
  const faults: string[] = [];
  const say = (holds: boolean, what: string) => {
    if (!holds) faults.push(what);
  };
  const record = (value: unknown, at: string, known: readonly string[], needed: readonly string[]): Json => {
    const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
    say(object === value, `${at} is an object`);
    for (const key of Object.keys(object)) say(known.includes(key), `${at} has no property ${key}`);
    for (const key of needed) say(Object.hasOwn(object, key), `${at} has ${key}`);
    return object;
  };
  const list = (value: unknown, at: string): readonly unknown[] => {
    say(Array.isArray(value), `${at} is an array`);
    return Array.isArray(value) ? value : [];
  };
  const text = (value: unknown, at: string): string => {
    say(typeof value === 'string' && value !== '', `${at} is a text that is not empty`);
    return String(value);
  };
  const positive = (value: unknown, at: string) =>
    say(Number.isInteger(value) && Number(value) >= 1, `${at} is at least 1`);

  const { $schema, version, runs } = record(log, 'log', ['$schema', 'version', 'runs'], ['version', 'runs']);
  say(version === '2.1.0', '3.13.2: the version is 2.1.0');
  say(URL.canParse(String($schema)), '3.13.3: $schema is an absolute URI');
  for (const one of list(runs, 'runs')) {
    const run = record(one, 'run', ['tool', 'columnKind', 'results'], ['tool']);
    say(['utf16CodeUnits', 'unicodeCodePoints'].includes(String(run.columnKind)), '3.14.17: columnKind');
    const { driver } = record(run.tool, 'tool', ['driver'], ['driver']);
    const { name, rules } = record(driver, 'driver', ['name', 'version', 'rules'], ['name']);
    text(name, '3.19.8: the name of the driver');
    const ids = list(rules, 'rules').map((rule) => {
      const { id, shortDescription } = record(rule, 'rule', ['id', 'shortDescription'], ['id']);
      text(record(shortDescription, 'shortDescription', ['text'], ['text']).text, '3.49.9: the text');
      return text(id, '3.49.3: the id of a rule');
    });
    say(new Set(ids).size === ids.length, '3.19.23: rules are unique');
    for (const result of list(run.results, 'results')) {
      const known = ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints'];
      const { ruleId, ruleIndex, level, message, locations, partialFingerprints } = record(result, 'result', known, [
        'message',
      ]);
      say(ids[Number(ruleIndex)] === ruleId, '3.27.6: ruleIndex is that of ruleId');
      say(LEVELS.includes(String(level)), '3.27.10: level');
      text(record(message, 'message', ['text'], ['text']).text, '3.11.8: the text of a message');
      for (const print of Object.values(record(partialFingerprints, 'partialFingerprints', ['toolwright/v1'], [])))
        text(print, '3.27.17: a fingerprint');
      for (const location of list(locations, 'locations')) {
        const where = record(location, 'location', ['physicalLocation', 'logicalLocations'], []);
        for (const logical of list(where.logicalLocations, 'logicalLocations'))
          text(record(logical, 'logicalLocation', ['fullyQualifiedName'], []).fullyQualifiedName, '3.33.5: the name');
        if (where.physicalLocation === undefined) continue;
        const physical = record(
          where.physicalLocation,
          'physicalLocation',
          ['artifactLocation', 'region'],
          ['artifactLocation'],
        );
        const uri = text(record(physical.artifactLocation, 'artifactLocation', ['uri'], ['uri']).uri, '3.4.3: uri');
        say(/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#[\]]|%[0-9A-F]{2})+$/.test(uri), `3.4.3: ${uri} is a URI reference`);
        const region = record(physical.region, 'region', ['startLine', 'startColumn'], ['startLine']);
        positive(region.startLine, '3.30.5: startLine');
        positive(region.startColumn, '3.30.6: startColumn');
      }
    }
  }
  return faults;
}
