// Work that waits for its turn.

/** Runs one work at a time. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs work after work, each when the one before it has ended. */
export function oneAtATime(): Alone {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
