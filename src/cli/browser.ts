// The person's browser, opened at an address.
import open from 'open';

/** Opens the address as far as that goes: where it does not, the person has seen it and opens it alone. */
export async function openBrowser(url: string): Promise<void> {
  await open(url).then(
    (child) => child.on('error', () => {}),
    () => {},
  );
}
