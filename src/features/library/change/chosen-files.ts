/** The files that a dashboard form names, a selection or a whole result. */
import type { z } from 'zod'
import type { chosenForm } from '../../../contract/files/download.ts'
import { PATHS_BODY_LIMIT } from '../../../contract/files/library.ts'
import { nameOf } from '../../../contract/paths/paths.ts'
import type { Database } from '../../../database/database.ts'
import { failure } from '../../../errors/errors.ts'
import { validate } from '../../../http/bodies/json.ts'
import { FORM_ALLOWANCE, readForm } from '../../../http/bodies/multipart.ts'
import type { IncomingRequest } from '../../../http/server/http-server.ts'
import { filesAt } from '../../folders/files-below.ts'
import { keyOf } from '../../folders/folder-keys.ts'
import { createResults } from './result.ts'

export function createChosenFiles(database: Database) {
  const results = createResults(database)
  /** `base`: number of characters to omit from each path in an archive or table. */
  return async ({ pfade, treffer }: z.output<typeof chosenForm>) => {
    const chosen = treffer
      ? {
          numbers: (await results.find(treffer)).numbers,
          base: keyOf(treffer.ordner).length,
          name: nameOf(treffer.ordner) || 'fundus',
        }
      : await filesByPath(database, pfade ?? [])
    if (chosen.numbers.length === 0) throw failure.fileAbsent()
    return chosen
  }
}

/** By path; a path without a file is left out. */
async function filesByPath({ browse }: Database, wanted: readonly string[]) {
  const files = []
  for await (const some of filesAt(browse, wanted)) files.push(...some)
  return {
    numbers: files.map(({ nr }) => nr),
    base: commonFolder(files.map(({ path }) => path)),
    name: 'auswahl',
  }
}

/** Length of the common folder of all paths, including its final `/`. */
function commonFolder(paths: readonly string[]): number {
  const [first = '', ...others] = paths
  let length = first.lastIndexOf('/') + 1
  for (const path of others) {
    while (!path.startsWith(first.slice(0, length))) length = first.lastIndexOf('/', length - 2) + 1
  }
  return length
}

/** The text fields of a form without files. */
export async function fieldsOf<Schema extends z.ZodType>(
  request: IncomingRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const nothing = { wants: () => false, receive: async () => {} }
  const limits = { parts: 10, fieldSize: PATHS_BODY_LIMIT }
  const bytes = PATHS_BODY_LIMIT + FORM_ALLOWANCE
  const most = { bytes, exceeded: () => failure.jsonTooLarge(bytes) }
  return validate(schema, Object.fromEntries(await readForm(request, nothing, { most, limits })))
}
