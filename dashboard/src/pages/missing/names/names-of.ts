/** Names from pasted or dropped text: a list, a CSV table, a Lua table of items. */
import { csvNames, hasHeading, separatorOf } from './csv-names.ts'
import { luaNames } from './lua-names.ts'

export const FORMS = ['text', 'csv', 'lua'] as const
export type Form = (typeof FORMS)[number]

export interface FoundNames {
  form: Form
  /** Each once, in the order of the text. */
  names: string[]
}

/** The extension of `fileName` decides on the format; without an extension the text itself does. */
export function namesOf(text: string, fileName = ''): FoundNames {
  const form = formOf(text, fileName)
  const names = form === 'lua' ? luaNames(text) : form === 'csv' ? csvNames(text) : namesInList(text)
  const trimmed = names.map(name => name.trim()).filter(name => name !== '')
  return { form, names: [...new Set(trimmed)] }
}

function formOf(text: string, fileName: string): Form {
  if (/\.lua$/i.test(fileName)) return 'lua'
  if (/\.csv$/i.test(fileName)) return 'csv'
  if (/=\s*\{|\breturn\s*\{|^\s*\{/.test(text)) return 'lua'
  const separator = separatorOf(text)
  // A comma may also separate the names of a list.
  return separator !== null && (separator !== ',' || hasHeading(text, separator)) ? 'csv' : 'text'
}

/** One per line, or separated by commas; without comments, bullets and quotes. */
function namesInList(text: string): string[] {
  return text
    .split(/[\r\n,;\t]+/)
    .filter(line => !/^\s*(?:#|\/\/|--)/.test(line))
    .map(line =>
      line
        .trim()
        .replace(/^[-*•]\s+/, '')
        .replace(/^(["'`])(.*)\1$/, '$2'),
    )
}
