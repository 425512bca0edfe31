/** Answers `GET, HEAD /f/<path>` and `/t/<path>.webp`, before any router: one look-up, then a 304 or bytes. */
import type { Database, ServedFile } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import { acceptsWebp } from '../../http/accept.ts'
import { matchesNone } from '../../http/conditions.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ContentTally } from '../metrics/tally.ts'
import type { Retrievals } from '../retrievals/retrievals.ts'
import { answer, NOT_MODIFIED, type Plan, planAnswer } from './answer.ts'
import { awaitsVariant, type Choice, chooseFile, choosePreview, chosenObject, WEBP_END } from './choice.ts'
import { createObjectReader } from './object-reader.ts'
import { copyOf, createPreparedAnswers } from './prepared.ts'

/** Milliseconds that a reader waits for derived files that are being made, and milliseconds between two looks. */
const DERIVED_WAIT = 3_000
const DERIVED_POLL = 50

export interface ServeParts {
  database: Database
  storage: Storage
  retrievals: Pick<Retrievals, 'count'>
  /** Called when a reader waits for the derived files of this file. */
  hurry: (nr: number) => void
  tally: { files: ContentTally; previews: ContentTally }
  /** A clock in milliseconds, for measuring durations. */
  clock: () => number
}

/** Called for each answer that counts as a retrieval, with the number of the file. */
type Count = (nr: number) => void

const UNCOUNTED: Count = () => {}

export interface Serve {
  file(request: Request, path: string): Response | Promise<Response>
  /** The same for the dashboard, whose views are no retrievals. */
  fileUncounted(request: Request, path: string): Response | Promise<Response>
  preview(request: Request, path: string): Promise<Response>
}

/**
 * Finds out which of its objects a request gets. `lost` names an object that could not be opened a moment ago: then the
 * row is looked up again. Null when there is no file; a preview is also null when there is no preview, or when `lost` is its object.
 */
type Find = (lost: string | undefined) => Promise<{ nr: number; choice: Choice } | null>

export function createServe(parts: ServeParts): Serve {
  const { database, storage, retrievals, hurry, tally, clock } = parts
  const read = createObjectReader(storage)
  const prepared = createPreparedAnswers()

  /** Answers a request from memory, without waiting and without building an answer; null when that is not possible. */
  function fromMemory(request: Request, path: string, file: ServedFile, count: Count): Response | null {
    if (request.method !== 'GET') return null
    const { headers } = request
    const webp = acceptsWebp(headers.get('Accept'))
    if (webp && awaitsVariant(file)) return null
    const ready = prepared.get(chosenObject(file, webp))
    if (ready?.path !== path || headers.get('Range') !== null) return null
    const known = headers.get('If-None-Match')
    count(file.nr)
    if (known !== null && matchesNone(known, ready.etag)) {
      tally.files.memoryNotModified++
      return copyOf(ready.notModified)
    }
    tally.files.memory++
    tally.files.bytes += ready.size
    return copyOf(ready.whole)
  }

  async function lookAgain(path: string): Promise<ServedFile | null> {
    await database.moment()
    return database.servedFile(path)
  }

  /** Reads the row again and again, for a limited time, while its derived files are being made. */
  async function derivedFile(path: string, found: ServedFile): Promise<ServedFile | null> {
    hurry(found.nr)
    let file: ServedFile | null = found
    for (let waited = 0; file?.derived === 'pending' && waited < DERIVED_WAIT; waited += DERIVED_POLL) {
      await Bun.sleep(DERIVED_POLL)
      file = await lookAgain(path)
    }
    return file
  }

  const findFile =
    (request: Request, path: string, found: ServedFile | null): Find =>
    async lost => {
      const webp = acceptsWebp(request.headers.get('Accept'))
      let file = lost === undefined ? found : await lookAgain(path)
      if (webp && file && awaitsVariant(file)) file = await derivedFile(path, file)
      if (!file) return null
      const choice = chooseFile(file, path, webp)
      // When the object of the variant is lost, the reader gets the original.
      const usable = choice.object === lost ? chooseFile(file, path, false) : choice
      return { nr: file.nr, choice: usable }
    }

  const findPreview =
    (path: string, found: ServedFile | null): Find =>
    async lost => {
      let file = lost === undefined ? found : await lookAgain(path)
      if (file?.derived === 'pending') file = await derivedFile(path, file)
      const choice = file && choosePreview(file, path)
      return file && choice && choice.object !== lost ? { nr: file.nr, choice } : null
    }

  /**
   * Null when there is nothing to answer with. When an object could not be opened, the row is read once more, since the
   * object may have been moved meanwhile.
   */
  async function respond(request: Request, path: string, find: Find, into: ContentTally, count: Count) {
    const begun = clock()
    for (let lost: string | undefined; ; ) {
      const found = await find(lost)
      if (!found) return null
      const { nr, choice } = found
      const plan = planAnswer(request, choice)
      const bodiless = plan.status === 304 || request.method === 'HEAD'
      const body = bodiless ? null : await read(choice.object, choice.size, plan.range)
      if (bodiless || body) {
        if (request.method === 'GET' && (plan.range?.start ?? 0) === 0) count(nr)
        const response = answer(request, plan, choice, body)
        if (body instanceof Uint8Array) remember(request, path, choice, response)
        note(into, plan, body ? choice.size : 0)
        into.seconds.observe((clock() - begun) / 1000)
        return response
      }
      if (choice.object === lost) throw new Error(`the object ${lost} is missing`)
      lost = choice.object
    }
  }

  function remember(request: Request, path: string, choice: Choice, response: Response): void {
    const notModified = answer(request, NOT_MODIFIED, choice, null)
    prepared.put(choice.object, {
      path,
      size: choice.size,
      etag: choice.etag,
      whole: copyOf(response),
      notModified,
    })
  }

  function answerFile(
    request: Request,
    path: string,
    file: ServedFile | null,
    count: Count,
  ): Response | Promise<Response> {
    return (
      (file && fromMemory(request, path, file, count)) ??
      respond(request, path, findFile(request, path, file), tally.files, count).then(response => {
        if (!response) throw failure.fileAbsent()
        return response
      })
    )
  }

  function sendFile(request: Request, path: string, count: Count): Response | Promise<Response> {
    const file = database.servedFile(path)
    return file instanceof Promise
      ? file.then(found => answerFile(request, path, found, count))
      : answerFile(request, path, file, count)
  }

  return {
    file: (request, path) => sendFile(request, path, retrievals.count),
    fileUncounted: (request, path) => sendFile(request, path, UNCOUNTED),

    async preview(request, path) {
      const original = path.endsWith(WEBP_END) ? path.slice(0, -WEBP_END.length) : ''
      const found = await database.servedFile(original)
      const response = await respond(
        request,
        original,
        findPreview(original, found),
        tally.previews,
        UNCOUNTED,
      )
      if (!response) throw failure.previewAbsent()
      return response
    },
  }
}

/** Counts the answer. `size` is the size of the object, or 0 when the answer has no body. */
function note(into: ContentTally, { status, range }: Plan, size: number): void {
  if (status === 304) into.notModified++
  else if (range) into.part++
  else if (size === 0) into.head++
  else into.whole++
  into.bytes += range ? range.end - range.start : size
}
