/** Justified rows: the pictures of a row have the same height, and together they fill the width. */

export interface JustifiedRow {
  /** The indexes of the files in the row: `from` is the first one, `to` the one after the last. */
  from: number
  to: number
  /** The height of the pictures in pixels. */
  height: number
}

/**
 * The limits of the aspect ratio (width / height) of a frame. A picture beyond them is shown whole in a frame
 * with the ratio of the limit.
 */
const RATIO_LIMITS = { min: 0.4, max: 3.2 } as const

/** The aspect ratio (width / height) of the frame of a file. Files without dimensions get a square frame. */
export function frameRatio({
  breite,
  hoehe,
}: {
  breite?: number | undefined
  hoehe?: number | undefined
}): number {
  if (!breite || !hoehe) return 1
  return Math.min(RATIO_LIMITS.max, Math.max(RATIO_LIMITS.min, breite / hoehe))
}

/**
 * Divides files into rows so that the height of each row is as close as possible to `targetHeight`. If the
 * last row does not fill the width, its height is `targetHeight`.
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
    let [to, ratioSum, height] = [from, 0, Number.POSITIVE_INFINITY]
    while (to < ratios.length && height > targetHeight) {
      const nextHeight = (width - gap * (to - from)) / (ratioSum + ratios[to]!)
      // With this picture, the row height would be further from `targetHeight` than without it.
      if (to > from && nextHeight < targetHeight && targetHeight / nextHeight > height / targetHeight) break
      ratioSum += ratios[to++]!
      height = nextHeight
    }
    const isShort = to === ratios.length && height > targetHeight
    rows.push({ from, to, height: isShort ? targetHeight : height })
    from = to
  }
  return rows
}
