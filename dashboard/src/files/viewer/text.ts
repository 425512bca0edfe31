/** Decides which files are shown as text, and how much of them. */
import { mediaTypeEssence } from '../../../../src/contract/paths/kinds.ts'

export const MAX_SHOWN_BYTES = 256 * 1024
const MAX_SHOWN_LINES = 5000

const TEXT_TYPES =
  /^text\/|^application\/(?:json|xml|javascript|x-lua|x-sh|x-yaml|yaml|toml|sql|x-ndjson)$|[+](?:json|xml)$/
const TEXT_FILE_NAMES =
  /\.(?:txt|md|log|csv|tsv|jsonc?|jsonl|lua|js|ts|css|xml|ya?ml|toml|ini|cfg|conf|properties|sql|sh|py)$/i

/** Whether a file is shown as text. A picture such as an SVG, a video or an audio file is not. */
export const isText = ({ path, mime, art }: { path: string; mime: string; art: string }) =>
  (art === 'dokumente' || art === 'sonstige') &&
  (TEXT_TYPES.test(mediaTypeEssence(mime)) || TEXT_FILE_NAMES.test(path))

export const isPdf = ({ mime }: { mime: string }) => mediaTypeEssence(mime) === 'application/pdf'

/**
 * The beginning of a text, at most `MAX_SHOWN_LINES` whole lines, and the number of lines in it. A line break
 * at the end does not count as the start of another line.
 */
export function beginningOf(text: string): { text: string; lineCount: number } {
  let lineCount = 0
  for (let lineStart = 0; lineStart < text.length; ) {
    if (lineCount === MAX_SHOWN_LINES) return { text: text.slice(0, lineStart), lineCount }
    lineCount++
    const lineEnd = text.indexOf('\n', lineStart)
    if (lineEnd < 0) break
    lineStart = lineEnd + 1
  }
  return { text, lineCount }
}
