/**
 * Waits for statements of one transaction that do not depend on each other: a database server gets them all
 * at once, in one round trip. Rejects with the first error, but only when all have ended: a finished
 * transaction takes no more statements.
 */
export async function awaitAll<T extends readonly unknown[]>(
  ...statements: T
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  const all = Promise.all(statements)
  await all.catch(() => Promise.allSettled(statements))
  return all
}
