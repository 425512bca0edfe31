/**
 * Splits long lists, so that each statement, transaction or turn of the event loop handles a bounded part.
 */

/**
 * Rows of one page, or values of one statement. Databases limit the parameters of a statement, and 500 take
 * milliseconds.
 */
export const BATCH = 500

export function* batches<T>(items: readonly T[], size = BATCH): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/**
 * Batches of items that arrive one after the other. `isFull` decides when a batch is complete, for batches
 * that are bounded by something other than their number of items.
 */
export async function* collected<T>(
  items: AsyncIterable<T>,
  isFull = (batch: readonly T[]) => batch.length >= BATCH,
): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (!isFull(batch)) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Rows page by page: `read` answers at most `limit` rows that follow `last`, the last row of the page before.
 * No statement stays open between two pages. A page that is not full is the last one.
 */
export async function* pages<Row>(
  read: (last: Row | undefined, limit: number) => Promise<Row[]>,
  size = BATCH,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
  }
}
