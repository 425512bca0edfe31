/** The differences between a path before and after the replacement, which the preview marks. */

/**
 * A part of the two paths: either a text that both contain (`same`), or a text of the former path (`from`)
 * with its replacement (`to`).
 */
export type PathDiffPart = { same: string } | { from: string; to: string }

/**
 * Splits two paths into parts. If `textReplacement` turns the former path into the new one, each match is a
 * part of its own; otherwise everything from the first difference to the last is one part.
 */
export function diffPaths(
  oldPath: string,
  newPath: string,
  textReplacement?: { search: string; by: string },
): PathDiffPart[] {
  if (textReplacement && oldPath.replaceAll(textReplacement.search, () => textReplacement.by) === newPath) {
    const replacement = { from: textReplacement.search, to: textReplacement.by }
    return oldPath
      .split(textReplacement.search)
      .flatMap((same, index) => (index === 0 ? [{ same }] : [replacement, { same }]))
  }
  return singleReplacement(oldPath, newPath)
}

function singleReplacement(oldPath: string, newPath: string): PathDiffPart[] {
  const maxLength = Math.min(oldPath.length, newPath.length)
  let prefixLength = 0
  while (prefixLength < maxLength && oldPath[prefixLength] === newPath[prefixLength]) prefixLength++
  let suffixLength = 0
  while (
    suffixLength < maxLength - prefixLength &&
    oldPath.at(-1 - suffixLength) === newPath.at(-1 - suffixLength)
  )
    suffixLength++
  return [
    { same: oldPath.slice(0, prefixLength) },
    {
      from: oldPath.slice(prefixLength, oldPath.length - suffixLength),
      to: newPath.slice(prefixLength, newPath.length - suffixLength),
    },
    { same: oldPath.slice(oldPath.length - suffixLength) },
  ]
}
