/** Number of pages shown on either side of the current one. */
const NEIGHBOUR_COUNT = 2

/**
 * The page numbers to show: the first, the last, and those around the current page; null stands for two or
 * more pages that are left out.
 */
export function pageNumbers(page: number, pageCount: number): (number | null)[] {
  const candidates = [1, pageCount]
  for (let neighbour = page - NEIGHBOUR_COUNT; neighbour <= page + NEIGHBOUR_COUNT; neighbour++)
    candidates.push(neighbour)
  const sortedPages = [...new Set(candidates)]
    .filter(candidate => candidate >= 1 && candidate <= pageCount)
    .sort((a, b) => a - b)
  return sortedPages.flatMap((shownPage, index) => {
    const skippedCount = index === 0 ? 0 : shownPage - sortedPages[index - 1]! - 1
    if (skippedCount === 0) return [shownPage]
    return [skippedCount === 1 ? shownPage - 1 : null, shownPage]
  })
}
