/** The differences between a path before and after the replacement, which the preview marks. */

/**
 * A piece of the two paths: either a text that both contain (`same`), or a text of the former path (`from`)
 * with its replacement (`to`).
 */
export type PathPiece = { same: string } | { from: string; to: string }

/**
 * Splits two paths into pieces. If replacing the search text (`text`) in the former path gives the new one,
 * each match is a piece of its own; otherwise everything from the first difference to the last is one piece.
 */
export function piecesOf(from: string, to: string, text?: { search: string; by: string }): PathPiece[] {
  if (text && from.replaceAll(text.search, () => text.by) === to) {
    const replacement = { from: text.search, to: text.by }
    return from.split(text.search).flatMap((same, at) => (at === 0 ? [{ same }] : [replacement, { same }]))
  }
  return singleReplacement(from, to)
}

function singleReplacement(from: string, to: string): PathPiece[] {
  const maxLength = Math.min(from.length, to.length)
  let prefixLength = 0
  while (prefixLength < maxLength && from[prefixLength] === to[prefixLength]) prefixLength++
  let suffixLength = 0
  while (suffixLength < maxLength - prefixLength && from.at(-1 - suffixLength) === to.at(-1 - suffixLength))
    suffixLength++
  return [
    { same: from.slice(0, prefixLength) },
    {
      from: from.slice(prefixLength, from.length - suffixLength),
      to: to.slice(prefixLength, to.length - suffixLength),
    },
    { same: from.slice(from.length - suffixLength) },
  ]
}
