/** Answers `GET, HEAD /f/<path>` and `/t/<path>.webp`, before any router: one look-up, then a 304 or bytes. */
import type { ServedFile } from '../../database/database.ts'
import { type Failure, failure } from '../../errors.ts'
import { acceptsWebp } from '../../http/accept.ts'
import { matchesNone } from '../../http/conditions.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Workers } from '../../workers/workers.ts'
import type { ContentTally } from '../metrics/tally.ts'
import type { Retrievals } from '../retrievals/retrievals.ts'
import { answer, isRetrieval, NOT_MODIFIED, type Plan, planAnswer, WHOLE } from './answer.ts'
import { awaitsVariant, type Choice, chosenObject, WEBP_END } from './choice.ts'
import { createFinder, type Find, type FinderParts } from './find.ts'
import { createObjectReader } from './object-reader.ts'
import { copyOf, createPreparedAnswers } from './prepared.ts'

export interface ServeParts extends FinderParts {
  storage: Storage
  retrievals: Pick<Retrievals, 'count'>
  tally: { files: ContentTally; previews: ContentTally }
  /** Bytes of memory for prepared answers, of all workers together. */
  preparedBytes: number
  workers: Pick<Workers, 'count'>
  /** A clock in milliseconds, for measuring durations. */
  clock: () => number
}

/** Called for each answer that counts as a retrieval, with the number of the file. */
type Count = (nr: number) => void

const UNCOUNTED: Count = () => {}

type Answer = Response | Promise<Response>

export interface Serve {
  file(request: Request, path: string): Answer
  /** The same for the dashboard, whose views are no retrievals. */
  fileUncounted(request: Request, path: string): Answer
  preview(request: Request, path: string): Promise<Response>
}

/** What is asked for: how its object is found, where the answer is counted, and what is answered without an object. */
interface Asked {
  find: Find
  into: ContentTally
  count: Count
  absent: () => Failure
}

export function createServe(parts: ServeParts): Serve {
  const { database, storage, retrievals, tally, preparedBytes, clock } = parts
  const finder = createFinder(parts)
  const memory = createMemoryAnswers(tally.files, preparedBytes / parts.workers.count)
  const read = createObjectReader(storage, memory.admits)

  /** When an object could not be opened, the row is read once more, since the object may have been moved meanwhile. */
  async function respond(request: Request, path: string, { find, into, count, absent }: Asked) {
    const begun = clock()
    for (let lost: string | undefined; ; ) {
      const found = await find(lost)
      if (!found) throw absent()
      const { nr, choice } = found
      const plan = planAnswer(request, choice)
      const bodiless = plan.status === 304 || request.method === 'HEAD'
      const body = bodiless ? null : await read(choice.object, choice.size, plan.range)
      if (bodiless || body) {
        if (isRetrieval(request.method, plan)) count(nr)
        const response = answer(request, plan, choice, body)
        if (body instanceof Uint8Array) memory.remember(request, path, choice, response)
        note(into, plan, body ? choice.size : 0)
        into.seconds.observe((clock() - begun) / 1000)
        return response
      }
      if (choice.object === lost) throw new Error(`the object ${lost} is missing`)
      lost = choice.object
    }
  }

  function answerFile(request: Request, path: string, file: ServedFile | null, count: Count): Answer {
    return (
      (file && memory.answer(request, path, file, count)) ??
      respond(request, path, {
        find: finder.file(request, path, file),
        ...{ into: tally.files, count, absent: failure.fileAbsent },
      })
    )
  }

  function sendFile(request: Request, path: string, count: Count): Answer {
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
      return respond(request, original, {
        find: finder.preview(original, found),
        ...{ into: tally.previews, count: UNCOUNTED, absent: failure.previewAbsent },
      })
    },
  }
}

/** Answers of small files that were asked for lately, ready in memory. */
function createMemoryAnswers(tally: ContentTally, capacity: number) {
  const prepared = createPreparedAnswers(capacity)
  return {
    admits: prepared.admits,

    /** Answers a request without waiting and without building an answer; null when that is not possible. */
    answer(request: Request, path: string, file: ServedFile, count: Count): Response | null {
      const { method, headers } = request
      if (method !== 'GET') return null
      const webp = acceptsWebp(headers.get('Accept'))
      if (webp && awaitsVariant(file)) return null
      const ready = prepared.get(chosenObject(file, webp))
      if (ready?.path !== path || headers.get('Range') !== null) return null
      const known = headers.get('If-None-Match')
      const plan = known !== null && matchesNone(known, ready.etag) ? NOT_MODIFIED : WHOLE
      if (isRetrieval(method, plan)) count(file.nr)
      if (plan === NOT_MODIFIED) {
        tally.memoryNotModified++
        return copyOf(ready.notModified)
      }
      tally.memory++
      tally.bytes += ready.size
      return copyOf(ready.whole)
    },

    remember(request: Request, path: string, choice: Choice, response: Response): void {
      const { object, size, etag } = choice
      const notModified = answer(request, NOT_MODIFIED, choice, null)
      prepared.put(object, { path, size, etag, whole: copyOf(response), notModified })
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
