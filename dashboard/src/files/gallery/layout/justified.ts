/** Justified rows: pictures of one row have the same height and fill the width. */

export interface Row {
  /** Indexes of its files: from the first to the one after the last. */
  from: number
  to: number
  /** Of the pictures, in pixels. */
  height: number
}

/** Wider and narrower pictures are shown whole inside a frame of this ratio. */
const RATIO = { least: 0.4, most: 3.2 } as const

/** Width by height of the frame. Files without dimensions get a square. */
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
 * Each row ends where its height comes nearest to `target`. The last row keeps that height where it does not
 * fill the width.
 */
export function justifiedRows(ratios: readonly number[], width: number, target: number, gap: number): Row[] {
  const rows: Row[] = []
  let from = 0
  while (from < ratios.length) {
    let [to, sum, height] = [from, 0, Number.POSITIVE_INFINITY]
    while (to < ratios.length && height > target) {
      const next = (width - gap * (to - from)) / (sum + ratios[to]!)
      // One picture more would be further from the target than one less.
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
