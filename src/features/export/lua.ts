/** The export as a Lua chunk. The chunk returns a table: the path below the folder → the file's address. */
import { fileAddress } from '../../contract/addresses.ts'
import { walkFiles } from '../folders/files-below.ts'
import { keyOf } from '../folders/folder-keys.ts'
import type { ExportParts } from './export.ts'

export async function* exportLua({ database, folder, publicUrl }: ExportParts): AsyncGenerator<string> {
  const start = keyOf(folder).length
  yield 'return {\n'
  for await (const { path } of walkFiles(database.read, folder, [])) {
    yield `  [${luaString(path.slice(start))}] = ${luaString(fileAddress(publicUrl, path))},\n`
  }
  yield '}\n'
}

/** Characters that end a string, begin an escape, or would not survive when the file is read as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex has to find control characters
const SPECIAL = /["\\\u0000-\u001f\u007f]/g

/** Always writes three digits, so that a digit that follows is not taken for part of the number. */
const numbered = (character: string) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`

/** The text as a Lua literal, in the form that every version of Lua from 5.1 on reads. */
export const luaString = (text: string) => `"${text.replace(SPECIAL, numbered)}"`
