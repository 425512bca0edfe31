/** Finds the object that a reader gets; waits for pending derived files, for a limited time. */
import { nameOf } from '../../contract/paths/paths.ts'
import type { Database, ServedFile } from '../../database/database.ts'
import { acceptsWebp } from '../../http/answers/accept.ts'
import type { RequestHead } from '../../http/request-head.ts'
import type { DerivedPart } from '../../storage/derived-parts.ts'
import { awaitsVariant, type ChosenObject, chooseDerived, chooseFile } from './variant-and-etag.ts'

/** Milliseconds that a reader waits for derived files, and between two checks. */
const MAX_DERIVED_WAIT = 3_000
const POLL_INTERVAL = 50

/**
 * Finds the object of a request. `lost`: an object that could not be opened a moment ago; then the row is
 * read again. Null if there is no file, or no such derived file, or its object is `lost`.
 */
export type FindObject = (lost: string | undefined) => Promise<{ nr: number; choice: ChosenObject } | null>

export interface FinderParts {
  database: Database
  /** Called when a reader waits for the derived files of a file. */
  hurry: (nr: number) => void
}

export function createFinder({ database, hurry }: FinderParts) {
  async function reloadFile(path: string): Promise<ServedFile | null> {
    await database.currentState()
    return database.servedFile(path)
  }

  /** Rereads the row for a limited time while its derived files are being made. */
  async function waitForDerived(path: string, found: ServedFile): Promise<ServedFile | null> {
    hurry(found.nr)
    let file: ServedFile | null = found
    for (let waited = 0; file?.derived === 'pending' && waited < MAX_DERIVED_WAIT; waited += POLL_INTERVAL) {
      await Bun.sleep(POLL_INTERVAL)
      file = await reloadFile(path)
    }
    return file
  }

  return {
    file:
      (request: RequestHead, path: string, found: ServedFile | null): FindObject =>
      async lost => {
        const isWebpAccepted = acceptsWebp(request.headers.get('Accept'))
        let file = lost === undefined ? found : await reloadFile(path)
        if (isWebpAccepted && file && awaitsVariant(file)) file = await waitForDerived(path, file)
        if (!file) return null
        const choice = chooseFile(file, path, isWebpAccepted)
        // If the variant's object is lost, the reader gets the original.
        const usableChoice = choice.object === lost ? chooseFile(file, path, false) : choice
        return { nr: file.nr, choice: usableChoice }
      },

    derived:
      (part: DerivedPart, path: string, found: ServedFile | null): FindObject =>
      async lost => {
        let file = lost === undefined ? found : await reloadFile(path)
        if (file?.derived === 'pending') file = await waitForDerived(path, file)
        const choice = file && chooseDerived(file, part, nameOf(path))
        return file && choice && choice.object !== lost ? { nr: file.nr, choice } : null
      },
  }
}
