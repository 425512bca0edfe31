/**
 * Waits for statements of one transaction that do not depend on each other. PostgreSQL receives them all in
 * one round trip. If any fail, this rejects with the first error, but only after all have ended, so that none
 * runs after the rollback.
 */
export async function awaitAll<T extends readonly unknown[]>(
  ...statements: T
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const results = Promise.all(statements)
  await results.catch(() => Promise.allSettled(statements))
  return results
}
