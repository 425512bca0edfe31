/**
 * Splits long lists and streams into batches, so that each statement, transaction or event loop iteration
 * processes a bounded number of items.
 */

/**
 * Default number of items per batch. Also used for the values of a statement, because databases limit the
 * number of its parameters.
 */
export const BATCH_SIZE = 500

export function* batches<T>(items: readonly T[], size = BATCH_SIZE): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Splits a stream into batches. `isFull` decides when a batch ends; by default after `BATCH_SIZE` items. */
export async function* streamBatches<T>(
  items: AsyncIterable<T>,
  isFull = (batch: readonly T[]) => batch.length >= BATCH_SIZE,
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
 * Yields rows page by page. `read` must return at most `limit` rows: those that follow the row `lastRow`, or
 * the first ones if `lastRow` is undefined. A page that is not full is the last one. No statement stays open
 * between pages.
 */
export async function* readPages<Row>(
  read: (lastRow: Row | undefined, limit: number) => Promise<Row[]>,
  size = BATCH_SIZE,
): AsyncGenerator<Row[]> {
  for (let lastRow: Row | undefined; ; ) {
    const rows = await read(lastRow, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    lastRow = rows.at(-1)
  }
}
