/** Long lists in pieces, so that no statement, transaction or turn of the event loop gets more than a bounded part. */

/** Rows of a page, or values of one statement: databases bound the parameters of a statement, and 500 take milliseconds. */
export const BATCH = 500

export function* batches<T>(items: readonly T[], size = BATCH): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** The same of items that come one after the other; `isFull` decides where a batch counts more than its items. */
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
 * Rows page by page: `read` answers at most `limit` rows that follow `last`, the last row of the page before. Nothing stays
 * open between two pages. A page that is not full is the last one.
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
