// What a command opens is closed, whatever comes of it.

/** The result of the work with what was opened. */
export async function closing<C extends { close(): Promise<void> }, T>(
  opened: C,
  work: (opened: C) => Promise<T>,
): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
