/** Number of pages shown on either side of the current one. */
const NEIGHBOURS = 2

/**
 * The page numbers to show: the first, the last, and those around the current page; null stands for a gap.
 */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const shown = [1, pages]
  for (let near = page - NEIGHBOURS; near <= page + NEIGHBOURS; near++) shown.push(near)
  const sorted = [...new Set(shown)].filter(each => each >= 1 && each <= pages).sort((a, b) => a - b)
  return sorted.flatMap((each, at) => {
    const skipped = at === 0 ? 0 : each - sorted[at - 1]! - 1
    if (skipped === 0) return [each]
    return [skipped === 1 ? each - 1 : null, each]
  })
}
