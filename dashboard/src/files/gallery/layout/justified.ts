/** Justified rows: the pictures of a row have the same height and together fill the width. */

export interface Row {
  /** The indexes of its files: `from` is the first one, `to` the one after the last. */
  from: number
  to: number
  /** The height of the pictures in pixels. */
  height: number
}

/** The limits of the ratio of a frame. Wider and narrower pictures are shown whole inside such a frame. */
const RATIO = { least: 0.4, most: 3.2 } as const

/** The ratio of width to height of the frame of a file. Files without dimensions get a square. */
export function ratioOf({
  breite,
  hoehe,
}: {
  breite?: number | undefined
  hoehe?: number | undefined
}): number {
  if (!breite || !hoehe) return 1
  return Math.min(RATIO.most, Math.max(RATIO.least, breite / hoehe))
}

/**
 * Divides files into rows so that the height of each row is as close as possible to `target`. A last row that
 * does not fill the width has the height `target`.
 */
export function justifiedRows(ratios: readonly number[], width: number, target: number, gap: number): Row[] {
  const rows: Row[] = []
  let from = 0
  while (from < ratios.length) {
    let [to, sum, height] = [from, 0, Number.POSITIVE_INFINITY]
    while (to < ratios.length && height > target) {
      const next = (width - gap * (to - from)) / (sum + ratios[to]!)
      // With this picture, the row height would be further from the target than without it.
      if (to > from && next < target && target / next > height / target) break
      sum += ratios[to++]!
      height = next
    }
    const isShort = to === ratios.length && height > target
    rows.push({ from, to, height: isShort ? target : height })
    from = to
  }
  return rows
}
