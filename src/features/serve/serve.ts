/**
 * Answers `GET, HEAD /f/<path>`, `/t/<path>.webp` and `/b/<size>/<path>`: looks up the object, then sends a
 * 304 or the bytes, from memory if the answer is prepared. Also counts retrievals and answers. The feature
 * `picture-sizes` finds the pictures for `/b/`.
 */
import type { ServedFile } from '../../database/database.ts'
import { acceptsWebp } from '../../http/answers/accept.ts'
import { isNotModified, isPreconditionMet } from '../../http/answers/conditions.ts'
import type { BodilessRequest } from '../../http/bodiless-request.ts'
import {
  type Answer,
  createAnswer,
  isSendableFile,
  ReadyAnswer,
  type SendableFile,
} from '../../http/server/answers.ts'
import type { PeerRequest } from '../../http/server/http-server.ts'
import type { DerivedPart } from '../../storage/derived-parts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ContentTally } from '../metrics/tally.ts'
import type { Retrievals } from '../retrievals/retrievals.ts'
import { type AnswerPlan, headersOf, planAnswer } from './answer.ts'
import { createObjectFinder, type FindObject, type ObjectFinderParts } from './find-object.ts'
import { isRetrieval } from './is-retrieval.ts'
import { createObjectReader, type ObjectBody } from './object-reader.ts'
import { createPreparedAnswers, type PreparedAnswers } from './prepared.ts'
import {
  type ChosenObject,
  type PreparedKey,
  preparedDerivedKey,
  preparedFileKey,
  WEBP_EXTENSION,
} from './variant-and-etag.ts'

export interface ServeParts extends ObjectFinderParts {
  storage: Storage
  retrievals: Pick<Retrievals, 'count'>
  /**
   * Returns the path of the file, and a function that finds its picture in a size. `address` is
   * `<size>/<path>`. Throws if there is no such size.
   */
  findSize: (request: PeerRequest, address: string) => { path: string; find: FindObject }
  tally: { files: ContentTally; previews: ContentTally; sizes: ContentTally }
  /** Maximum number of bytes of prepared answers in memory. */
  preparedBytes: number
  /** Maximum number of files that stay open between requests. */
  maxOpenFiles: number
  /** Monotonic milliseconds. */
  clock: () => number
  now: () => number
}

/** Called for each retrieval, with the file's number. */
type CountRetrieval = (nr: number) => void

const COUNT_NO_RETRIEVAL: CountRetrieval = () => {}

export type Serve = ReturnType<typeof createServe>

/** How the object is found, and where the answer and the retrieval are counted. */
interface RespondOptions {
  find: FindObject
  contentTally: ContentTally
  countRetrieval: CountRetrieval
}

export function createServe(parts: ServeParts) {
  const { database, storage, retrievals, findSize, tally, preparedBytes, maxOpenFiles, clock, now } = parts
  const finder = createObjectFinder(parts)
  const memoryAnswers = createMemoryAnswers(createPreparedAnswers(preparedBytes, maxOpenFiles))
  const readObject = createObjectReader(storage, memoryAnswers.admits)

  /**
   * Answers a request. If an object cannot be opened, the row is read again, because the object may have been
   * moved.
   */
  async function respond(
    request: BodilessRequest,
    path: string,
    { find, contentTally, countRetrieval }: RespondOptions,
  ): Promise<Answer> {
    const startedAt = clock()
    for (let lostObject: string | undefined; ; ) {
      const { nr, choice } = await find(lostObject)
      const plan = planAnswer(request, choice)
      const isBodiless = plan.status === 304 || request.method === 'HEAD'
      const body = isBodiless ? null : await readObject(choice.object, choice.size, plan.range)
      if (isBodiless || body) {
        if (isRetrieval(request, choice)) countRetrieval(nr)
        countAnswer(contentTally, plan, body ? choice.size : 0)
        contentTally.durations.observe((clock() - startedAt) / 1000)
        const { status } = plan
        const currentTime = now()
        const headers = headersOf(plan, choice, currentTime)
        // A `Last-Modified` in the future is sent as the current time, so such an answer cannot be reused.
        if (request.method !== 'GET' || choice.modified > currentTime || !memoryAnswers.keeps(plan, body))
          return createAnswer(body, { status, headers })
        return memoryAnswers.keep(path, choice, new ReadyAnswer(status, headers, body))
      }
      if (choice.object === lostObject) throw new Error(`the object ${lostObject} is missing`)
      lostObject = choice.object
    }
  }

  function answerFile(
    request: BodilessRequest,
    path: string,
    file: ServedFile | null,
    countRetrieval: CountRetrieval,
  ): Answer | Promise<Answer> {
    const preparedKey = file && preparedFileKey(file, acceptsWebp(request.headers.get('Accept')))
    const readyAnswer = preparedKey && memoryAnswers.answer(request, path, preparedKey, tally.files)
    if (!readyAnswer)
      return respond(request, path, {
        find: finder.forFile(request, path, file),
        contentTally: tally.files,
        countRetrieval,
      })
    // Prepared answers are for GET requests without a range, so each is a retrieval.
    countRetrieval(file!.nr)
    return readyAnswer
  }

  function answerDerived(
    part: DerivedPart,
    request: BodilessRequest,
    path: string,
    file: ServedFile | null,
  ): Answer | Promise<Answer> {
    const preparedKey = file && preparedDerivedKey(file, part)
    const readyAnswer = preparedKey && memoryAnswers.answer(request, path, preparedKey, tally.previews)
    return (
      readyAnswer ??
      respond(request, path, {
        find: finder.forDerived(part, path, file),
        contentTally: tally.previews,
        countRetrieval: COUNT_NO_RETRIEVAL,
      })
    )
  }

  // Without `await`, here and in `sendDerived`: if the database answers synchronously, so do these functions.
  function sendStoredFile(
    request: BodilessRequest,
    path: string,
    countRetrieval: CountRetrieval,
  ): Answer | Promise<Answer> {
    const file = database.servedFile(path)
    return file instanceof Promise
      ? file.then(foundFile => answerFile(request, path, foundFile, countRetrieval))
      : answerFile(request, path, file, countRetrieval)
  }

  const sendDerived = (part: DerivedPart) => (request: BodilessRequest, address: string) => {
    const path = address.endsWith(WEBP_EXTENSION) ? address.slice(0, -WEBP_EXTENSION.length) : ''
    const file = database.servedFile(path)
    return file instanceof Promise
      ? file.then(foundFile => answerDerived(part, request, path, foundFile))
      : answerDerived(part, request, path, file)
  }

  async function sendSize(request: PeerRequest, address: string): Promise<Answer> {
    const { path, find } = findSize(request, address)
    const foundObject = await find(undefined)
    return (
      memoryAnswers.answer(request, path, foundObject.choice, tally.sizes) ??
      respond(request, path, {
        find: async lostObject => (lostObject === undefined ? foundObject : find(lostObject)),
        contentTally: tally.sizes,
        countRetrieval: COUNT_NO_RETRIEVAL,
      })
    )
  }

  return {
    /** Sends a picture in a size; not counted as a retrieval of the file. */
    sendSize,
    sendFile: (request: BodilessRequest, path: string) => sendStoredFile(request, path, retrievals.count),
    /** Sends a file to the dashboard, whose views are no retrievals. */
    sendFileUncounted: (request: BodilessRequest, path: string) =>
      sendStoredFile(request, path, COUNT_NO_RETRIEVAL),
    /**
     * Returns a function that sends this derived file. Its address is the path of the file with `.webp`
     * appended.
     */
    sendDerived,
    /** Drops all prepared answers and closes the files that are kept open for them. */
    close: memoryAnswers.close,
  }
}

function createMemoryAnswers(preparedAnswers: PreparedAnswers) {
  return {
    admits: preparedAnswers.admits,
    close: preparedAnswers.close,

    /** Whether the answer is worth keeping: a 304, bytes in memory, or a file that may stay open. */
    keeps(
      { status, range }: AnswerPlan,
      body: ObjectBody | null,
    ): body is Uint8Array<ArrayBuffer> | SendableFile | null {
      if (status === 304 || body instanceof Uint8Array) return true
      return !range && body instanceof Blob && isSendableFile(body) && preparedAnswers.admitsFile(body.size)
    },

    /** Returns a prepared answer, without reading the object; null if none fits the request. */
    answer(
      { method, headers }: BodilessRequest,
      path: string,
      { object, modified }: PreparedKey,
      contentTally: ContentTally,
    ): ReadyAnswer | null {
      if (method !== 'GET') return null
      const preparedAnswer = preparedAnswers.get(object)
      // A renamed file may still have the same object, but its answers need the new path and date.
      if (
        preparedAnswer?.path !== path ||
        preparedAnswer.modified !== modified ||
        headers.get('Range') !== null
      )
        return null
      if (!isPreconditionMet(headers, preparedAnswer)) return null
      if (isNotModified(headers, preparedAnswer)) {
        if (!preparedAnswer.notModified) return null
        contentTally.memoryNotModified++
        return preparedAnswer.notModified.acquire()
      }
      if (!preparedAnswer.whole) return null
      contentTally.memory++
      contentTally.bytes += preparedAnswer.size
      return preparedAnswer.whole.acquire()
    },

    /**
     * Keeps the answer in memory. An entry can have a 200 and a 304. If the object already has an entry for
     * the same path and date, only the answer with the same status is replaced; otherwise the whole entry.
     */
    keep(path: string, { object, size, etag, modified }: ChosenObject, answer: ReadyAnswer): ReadyAnswer {
      answer.acquire()
      const previousAnswer = preparedAnswers.get(object)
      const isSame = previousAnswer?.path === path && previousAnswer.modified === modified
      const preparedAnswer = isSame
        ? previousAnswer
        : { path, size, etag, modified, whole: null, notModified: null }
      preparedAnswers.put(object, {
        ...preparedAnswer,
        [answer.status === 304 ? 'notModified' : 'whole']: answer,
      })
      return answer
    },
  }
}

/** Counts an answer in the metrics. `size`: the size of the object, or 0 if the answer has no body. */
function countAnswer(contentTally: ContentTally, { status, range }: AnswerPlan, size: number): void {
  if (status === 304) contentTally.notModified++
  else if (range) contentTally.part++
  else if (size === 0) contentTally.head++
  else contentTally.whole++
  contentTally.bytes += range ? range.end - range.start : size
}
