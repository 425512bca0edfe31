/**
 * Waits for statements of one transaction that need none of each other's answers: a database server gets them
 * all at once, and they cost one way there and back. Rejects with the first error, but only when all have
 * ended: a transaction whose work has ended takes no more statements.
 */
export async function together<T extends readonly unknown[]>(
  ...statements: T
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  const all = Promise.all(statements)
  await all.catch(() => Promise.allSettled(statements))
  return all
}
