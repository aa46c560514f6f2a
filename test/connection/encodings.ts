// The encodings in which a text may carry a secret (SECURITY.md), each as one would write it.

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const each = (text: string, write: (character: string) => string) => [...text].map(write).join('');
const hex4 = (unit: number) => unit.toString(16).padStart(4, '0');
const units = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
const percent = (text: string) => [...utf8(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const NAMED: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
  ':': '&colon;',
  '%': '&percnt;',
  '\\': '&bsol;',
  é: '&eacute;',
};

export const ENCODINGS: { readonly [name: string]: (secret: string) => string } = {
  raw: (s) => s,
  'json-escaped': json,
  '\\uXXXX': (s) =>
    units(s)
      .map((unit) => `\\u${hex4(unit)}`)
      .join(''),
  '\\/': (s) => json(s).replaceAll('/', '\\/'),
  'percent upper': (s) => encodeURIComponent(s),
  'percent lower': (s) => encodeURIComponent(s).replace(/%../g, (code) => code.toLowerCase()),
  'percent all': percent,
  form: (s) => new URLSearchParams({ s }).toString().slice(2),
  'double percent': (s) => encodeURIComponent(encodeURIComponent(s)),
  base64: (s) => utf8(s).toString('base64'),
  base64url: (s) => utf8(s).toString('base64url'),
  'base64 at 1': (s) => utf8(`{${s}} and more`).toString('base64'),
  'base64 at 2': (s) => utf8(`{"${s}"}`).toString('base64'),
  'inside Basic': (s) => `Basic ${utf8(`someone:${s}`).toString('base64')}`,
  hex: (s) => utf8(s).toString('hex'),
  HEX: (s) => utf8(s).toString('hex').toUpperCase(),
  'html named': (s) => each(s, (character) => NAMED[character] ?? character),
  'html decimal': (s) => each(s, (character) => `&#${character.codePointAt(0)};`),
  'json in json': (s) => JSON.stringify(JSON.stringify({ key: s })),
  mojibake: (s) => utf8(s).toString('latin1'),
  nfd: (s) => s.normalize('NFD'),
  'changed case': (s) => each(s, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())),
  'yaml quoted': (s) =>
    each(json(s), (c) => (c > '~' ? `\\x${(c.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}` : c)),
  'yaml single': (s) => `'${s.replaceAll("'", "''")}'`,
  // Beyond the 24.
  'html hexadecimal': (s) => each(s, (character) => `&#x${character.codePointAt(0)?.toString(16)};`),
  'percent of json': (s) => encodeURIComponent(JSON.stringify({ s })),
  'json of html': (s) => JSON.stringify({ page: `<a title="${each(s, (c) => NAMED[c] ?? c)}">` }),
  'windows-1252': (s) => new TextDecoder('windows-1252').decode(utf8(s)),
  'latin-1 read as utf-8': (s) => Buffer.from(s, 'latin1').toString('utf8'),
  'base64 of latin-1': (s) => Buffer.from(s, 'latin1').toString('base64'),
  'percent of base64': (s) => encodeURIComponent(utf8(s).toString('base64')),
};
