/** Rows in pages, where a list may be of any length. */

/**
 * `next` answers at most `size` rows that follow the one given, in the order of a key. The first page that is not full is
 * the last. Each page is a statement that ends, so no reader holds the database at an old state.
 */
export async function* pages<Row>(
  size: number,
  next: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const page = await next(last)
    if (page.length > 0) yield page
    if (page.length < size) return
    last = page.at(-1)
  }
}
