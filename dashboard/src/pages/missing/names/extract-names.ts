/** Reads names from pasted or dropped text: a list, a CSV table, or Lua tables. */
import { csvNames, hasKnownHeading, separatorOf } from './csv-names.ts'
import { luaNames } from './lua-names.ts'

export const LIST_FORMATS = ['text', 'csv', 'lua'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

export interface FoundNames {
  format: ListFormat
  /** The names without repetitions, in the order of the text. */
  names: string[]
}

/**
 * Reads the names in a text. The extension of `fileName` determines the format if it is `.csv` or `.lua`;
 * otherwise the text itself does.
 */
export function extractNames(text: string, fileName = ''): FoundNames {
  const format = formatOf(text, fileName)
  const names = format === 'lua' ? luaNames(text) : format === 'csv' ? csvNames(text) : namesInList(text)
  const trimmedNames = names.map(name => name.trim()).filter(name => name !== '')
  return { format, names: [...new Set(trimmedNames)] }
}

function formatOf(text: string, fileName: string): ListFormat {
  if (/\.lua$/i.test(fileName)) return 'lua'
  if (/\.csv$/i.test(fileName)) return 'csv'
  if (/=\s*\{|\breturn\s*\{|^\s*\{/.test(text)) return 'lua'
  const separator = separatorOf(text)
  // A comma may also separate the names of a list, so a table with commas must have a known heading.
  return separator !== null && (separator !== ',' || hasKnownHeading(text, separator)) ? 'csv' : 'text'
}

/**
 * The names of a list: one per line, or separated by commas, semicolons or tabs. Bullets and quotes are
 * removed. The rest of a line is a comment if an entry of it begins with `#`, `//` or `--`.
 */
function namesInList(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .flatMap(line => {
      const entries = line.split(/[,;\t]+/)
      const commentIndex = entries.findIndex(entry => /^\s*(?:#|\/\/|--)/.test(entry))
      return commentIndex < 0 ? entries : entries.slice(0, commentIndex)
    })
    .map(entry =>
      entry
        .trim()
        .replace(/^[-*•]\s+/, '')
        .replace(/^(["'`])(.*)\1$/, '$2'),
    )
}
