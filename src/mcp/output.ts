// The standard output for the protocol alone.

/**
 * Takes the standard output from whatever else writes there: a library's remark lands on the standard error from now on.
 * @returns what writes a text there all the same; it resolves when more may be written.
 */
export function ownOutput(): (text: string) => Promise<void> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (text: string, done: () => void) => boolean;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return (text) => new Promise((resolve) => write(text, resolve));
}
