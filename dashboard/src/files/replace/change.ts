/** The difference between a path and its replacement, so that it can be marked. */

/** A piece of both paths: the same in both, or `from` replaced by `to`. */
export type PathPiece = { same: string } | { from: string; to: string }

/**
 * Splits two paths into pieces. With a search text each match is marked, else one range from the first
 * difference to the last.
 */
export function piecesOf(from: string, to: string, text?: { search: string; by: string }): PathPiece[] {
  if (text && from.replaceAll(text.search, () => text.by) === to) {
    const between = { from: text.search, to: text.by }
    return from.split(text.search).flatMap((same, at) => (at === 0 ? [{ same }] : [between, { same }]))
  }
  return oneStretch(from, to)
}

function oneStretch(from: string, to: string): PathPiece[] {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from[start] === to[start]) start++
  let end = 0
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return [
    { same: from.slice(0, start) },
    { from: from.slice(start, from.length - end), to: to.slice(start, to.length - end) },
    { same: from.slice(from.length - end) },
  ]
}
