/** Justified rows: the pictures of a row have the same height and together fill the width. */

export interface JustifiedRow {
  /** The indexes of the files in the row: `from` is the first one, `to` the one after the last. */
  from: number
  to: number
  /** The height of the pictures in pixels. */
  height: number
}

/**
 * The limits of the ratio of width to height of a frame. Pictures beyond them are shown whole inside a frame
 * with the limit as its ratio.
 */
const RATIO_LIMITS = { least: 0.4, most: 3.2 } as const

/** The ratio of width to height of the frame of a file. Files without dimensions get a square. */
export function frameRatio({
  breite,
  hoehe,
}: {
  breite?: number | undefined
  hoehe?: number | undefined
}): number {
  if (!breite || !hoehe) return 1
  return Math.min(RATIO_LIMITS.most, Math.max(RATIO_LIMITS.least, breite / hoehe))
}

/**
 * Divides files into rows so that the height of each row is as close as possible to `targetHeight`. A last
 * row that does not fill the width has this height.
 */
export function justifiedRows(
  ratios: readonly number[],
  width: number,
  targetHeight: number,
  gap: number,
): JustifiedRow[] {
  const rows: JustifiedRow[] = []
  let from = 0
  while (from < ratios.length) {
    let [to, sum, height] = [from, 0, Number.POSITIVE_INFINITY]
    while (to < ratios.length && height > targetHeight) {
      const nextHeight = (width - gap * (to - from)) / (sum + ratios[to]!)
      // With this picture, the row height would be further from `targetHeight` than without it.
      if (to > from && nextHeight < targetHeight && targetHeight / nextHeight > height / targetHeight) break
      sum += ratios[to++]!
      height = nextHeight
    }
    const isShort = to === ratios.length && height > targetHeight
    rows.push({ from, to, height: isShort ? targetHeight : height })
    from = to
  }
  return rows
}
