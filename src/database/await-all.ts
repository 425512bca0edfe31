/**
 * Waits for statements of one transaction that do not depend on each other: PostgreSQL gets them all at once,
 * in one round trip. If one fails, this rejects with the first error, but only when all have ended: none may
 * run after the transaction was rolled back.
 */
export async function awaitAll<T extends readonly unknown[]>(
  ...statements: T
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const results = Promise.all(statements)
  await results.catch(() => Promise.allSettled(statements))
  return results
}
