/** Finds the object that a reader gets. Waits for pending derived files, for a limited time. */
import { nameOf } from '../../contract/paths/path-parts.ts'
import type { Database, ServedFile } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import { acceptsWebp } from '../../http/answers/accept.ts'
import type { BodilessRequest } from '../../http/bodiless-request.ts'
import type { DerivedPart } from '../../storage/derived-parts.ts'
import { awaitsVariant, type ChosenObject, chooseDerived, chooseFile } from './variant-and-etag.ts'

/** Maximum milliseconds that a request waits for derived files. */
const MAX_DERIVED_WAIT = 3_000
/** Milliseconds between two checks whether the derived files are made. */
const POLL_INTERVAL = 50

/**
 * Finds the object of a request, and the number of its file (`nr`). `lostObject` names an object that could
 * not be opened a moment ago; if it is set, the row is read again. Rejects with 404 if there is no file. A
 * request for a derived file is also rejected if there is no such derived file, or if its object is
 * `lostObject`.
 */
export type FindObject = (lostObject: string | undefined) => Promise<{ nr: number; choice: ChosenObject }>

export interface ObjectFinderParts {
  database: Database
  /** Called when a reader waits for the derived files of a file. */
  prioritize: (nr: number) => void
}

export function createObjectFinder({ database, prioritize }: ObjectFinderParts) {
  async function reloadFile(path: string): Promise<ServedFile | null> {
    await database.currentState()
    return database.servedFile(path)
  }

  /** Rereads the row until its derived files are made, for a limited time. */
  async function waitForDerivedFiles(path: string, servedFile: ServedFile): Promise<ServedFile | null> {
    prioritize(servedFile.nr)
    let file: ServedFile | null = servedFile
    for (
      let elapsedTime = 0;
      file?.derived === 'pending' && elapsedTime < MAX_DERIVED_WAIT;
      elapsedTime += POLL_INTERVAL
    ) {
      await Bun.sleep(POLL_INTERVAL)
      file = await reloadFile(path)
    }
    return file
  }

  return {
    /**
     * Returns a function that finds the original or its WebP variant. `servedFile` is the row that the caller
     * has read.
     */
    forFile:
      (request: BodilessRequest, path: string, servedFile: ServedFile | null): FindObject =>
      async lostObject => {
        const isWebpAccepted = acceptsWebp(request.headers.get('Accept'))
        let file = lostObject === undefined ? servedFile : await reloadFile(path)
        if (isWebpAccepted && file && awaitsVariant(file)) file = await waitForDerivedFiles(path, file)
        if (!file) throw failure.fileAbsent()
        const choice = chooseFile(file, path, isWebpAccepted)
        // If the variant's object is lost, the reader gets the original.
        const usableChoice = choice.object === lostObject ? chooseFile(file, path, false) : choice
        return { nr: file.nr, choice: usableChoice }
      },

    /** Returns a function that finds a derived file. `servedFile` is the row that the caller has read. */
    forDerived:
      (part: DerivedPart, path: string, servedFile: ServedFile | null): FindObject =>
      async lostObject => {
        let file = lostObject === undefined ? servedFile : await reloadFile(path)
        if (file?.derived === 'pending') file = await waitForDerivedFiles(path, file)
        const choice = file && chooseDerived(file, part, nameOf(path))
        if (!file || !choice || choice.object === lostObject) throw failure.previewAbsent()
        return { nr: file.nr, choice }
      },
  }
}
