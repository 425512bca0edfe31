/** The export as a Lua chunk. The chunk returns a table: the path below the folder → the file's address. */
import { fileAddress } from '../../contract/addresses.ts'
import { luaString } from '../../lua.ts'
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
