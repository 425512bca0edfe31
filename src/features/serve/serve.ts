/**
 * Answers `GET, HEAD /f/<path>` and `/t/<path>.webp`: one lookup, then a 304 or bytes. Also
 * `/b/<size>/<path>`, whose picture another feature finds.
 */
import type { ServedFile } from '../../database/database.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import { acceptsWebp } from '../../http/answers/accept.ts'
import { isNotModified, isPreconditionMet } from '../../http/answers/conditions.ts'
import type { RequestHead } from '../../http/request-head.ts'
import type { PeerRequest } from '../../http/server/http-server.ts'
import {
  type Answer,
  answerWith,
  isSentFile,
  ReadyAnswer,
  type SentFile,
} from '../../http/server/sending/answers.ts'
import type { DerivedPart } from '../../storage/derived-parts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ContentTally } from '../metrics/tally.ts'
import type { Retrievals } from '../retrievals/retrievals.ts'
import { type AnswerPlan, headersOf, isRetrieval, planAnswer } from './answer.ts'
import { createFinder, type FinderParts, type FindObject } from './find.ts'
import { createObjectReader, type ObjectBody } from './object-reader.ts'
import { createPreparedAnswers, type PreparedAnswers } from './prepared.ts'
import {
  type ChosenObject,
  type PreparedKey,
  preparedDerivedKey,
  preparedFileKey,
  WEBP_EXTENSION,
} from './variant-and-etag.ts'

export interface ServeParts extends FinderParts {
  storage: Storage
  retrievals: Pick<Retrievals, 'count'>
  /** Finds a picture in a size: `address` is `<size>/<path>`. Throws if there is no such size. */
  findSize: (request: PeerRequest, address: string) => { path: string; find: FindObject }
  tally: { files: ContentTally; previews: ContentTally; sizes: ContentTally }
  preparedBytes: number
  /** Maximum number of files that stay open between requests. */
  keptFiles: number
  /** Monotonic milliseconds. */
  clock: () => number
  now: () => number
}

/** Called for each retrieval, with the file's number. */
type CountRetrieval = (nr: number) => void

const COUNT_NO_RETRIEVAL: CountRetrieval = () => {}

export type Serve = ReturnType<typeof createServe>

/** How the object is found, where the answer is counted, and the error if there is no object. */
interface WantedObject {
  find: FindObject
  contentTally: ContentTally
  count: CountRetrieval
  absent: () => Failure
}

export function createServe(parts: ServeParts) {
  const { database, storage, retrievals, findSize, tally, preparedBytes, keptFiles, clock, now } = parts
  const finder = createFinder(parts)
  const memoryAnswers = createMemoryAnswers(createPreparedAnswers(preparedBytes, keptFiles))
  const readObject = createObjectReader(storage, memoryAnswers.admits)

  /**
   * Answers a request. If an object cannot be opened, the row is read once more, because the object may have
   * been moved.
   */
  async function respond(
    request: RequestHead,
    path: string,
    { find, contentTally: into, count, absent }: WantedObject,
  ): Promise<Answer> {
    const startedAt = clock()
    for (let lost: string | undefined; ; ) {
      const foundObject = await find(lost)
      if (!foundObject) throw absent()
      const { nr, choice } = foundObject
      const plan = planAnswer(request, choice)
      const isBodiless = plan.status === 304 || request.method === 'HEAD'
      const body = isBodiless ? null : await readObject(choice.object, choice.size, plan.range)
      if (isBodiless || body) {
        if (isRetrieval(request, choice)) count(nr)
        countAnswer(into, plan, body ? choice.size : 0)
        into.seconds.observe((clock() - startedAt) / 1000)
        const { status } = plan
        const at = now()
        const headers = headersOf(plan, choice, at)
        // A future date is sent as the current one, so such an answer cannot be reused.
        if (request.method !== 'GET' || choice.modified > at || !memoryAnswers.keeps(plan, body))
          return answerWith(body, { status, headers })
        return memoryAnswers.keep(path, choice, new ReadyAnswer(status, headers, body))
      }
      if (choice.object === lost) throw new Error(`the object ${lost} is missing`)
      lost = choice.object
    }
  }

  function answerFile(
    request: RequestHead,
    path: string,
    file: ServedFile | null,
    count: CountRetrieval,
  ): Answer | Promise<Answer> {
    const preparedKey = file && preparedFileKey(file, acceptsWebp(request.headers.get('Accept')))
    const readyAnswer = preparedKey && memoryAnswers.answer(request, path, preparedKey, tally.files)
    if (!readyAnswer)
      return respond(request, path, {
        find: finder.file(request, path, file),
        ...{ contentTally: tally.files, count, absent: failure.fileAbsent },
      })
    // Without a range every answer to a GET is a retrieval.
    count(file!.nr)
    return readyAnswer
  }

  function answerDerived(
    part: DerivedPart,
    request: RequestHead,
    path: string,
    file: ServedFile | null,
  ): Answer | Promise<Answer> {
    const preparedKey = file && preparedDerivedKey(file, part)
    const readyAnswer = preparedKey && memoryAnswers.answer(request, path, preparedKey, tally.previews)
    return (
      readyAnswer ??
      respond(request, path, {
        find: finder.derived(part, path, file),
        ...{ contentTally: tally.previews, count: COUNT_NO_RETRIEVAL, absent: failure.previewAbsent },
      })
    )
  }

  // Without `await`: if the database answers synchronously, so do these functions.
  function sendFile(request: RequestHead, path: string, count: CountRetrieval): Answer | Promise<Answer> {
    const file = database.servedFile(path)
    return file instanceof Promise
      ? file.then(found => answerFile(request, path, found, count))
      : answerFile(request, path, file, count)
  }

  const sendDerived = (part: DerivedPart) => (request: RequestHead, address: string) => {
    const path = address.endsWith(WEBP_EXTENSION) ? address.slice(0, -WEBP_EXTENSION.length) : ''
    const file = database.servedFile(path)
    return file instanceof Promise
      ? file.then(found => answerDerived(part, request, path, found))
      : answerDerived(part, request, path, file)
  }

  async function sendSize(request: PeerRequest, address: string): Promise<Answer> {
    const { path, find } = findSize(request, address)
    const foundObject = await find(undefined)
    if (!foundObject) throw failure.fileAbsent()
    return (
      memoryAnswers.answer(request, path, foundObject.choice, tally.sizes) ??
      respond(request, path, {
        find: async lost => (lost === undefined ? foundObject : find(lost)),
        ...{ contentTally: tally.sizes, count: COUNT_NO_RETRIEVAL, absent: failure.fileAbsent },
      })
    )
  }

  return {
    /** Sends a picture in a size; not counted as a retrieval of the file. */
    size: sendSize,
    file: (request: RequestHead, path: string) => sendFile(request, path, retrievals.count),
    /** Sends a file to the dashboard, whose views are no retrievals. */
    fileUncounted: (request: RequestHead, path: string) => sendFile(request, path, COUNT_NO_RETRIEVAL),
    /** Sends a derived file, whose path is that of its file with `.webp`. */
    derived: sendDerived,
    /** Closes the files that are kept open. */
    close: memoryAnswers.close,
  }
}

function createMemoryAnswers(prepared: PreparedAnswers) {
  return {
    admits: prepared.admits,
    close: prepared.close,

    /** Whether the answer is worth keeping: a 304, bytes in memory, or a file that may stay open. */
    keeps(
      { status, range }: AnswerPlan,
      body: ObjectBody | null,
    ): body is Uint8Array<ArrayBuffer> | SentFile | null {
      if (status === 304 || body instanceof Uint8Array) return true
      return !range && body instanceof Blob && isSentFile(body) && prepared.admitsFile(body.size)
    },

    /** Answers synchronously from memory; null if that is not possible. */
    answer(
      { method, headers }: RequestHead,
      path: string,
      { object, modified }: PreparedKey,
      into: ContentTally,
    ): ReadyAnswer | null {
      if (method !== 'GET') return null
      const preparedAnswer = prepared.get(object)
      // A renamed file may still have the same object, but under another path or with another date.
      if (
        preparedAnswer?.path !== path ||
        preparedAnswer.modified !== modified ||
        headers.get('Range') !== null
      )
        return null
      if (!isPreconditionMet(headers, preparedAnswer)) return null
      if (isNotModified(headers, preparedAnswer)) {
        if (!preparedAnswer.notModified) return null
        into.memoryNotModified++
        return preparedAnswer.notModified.acquire()
      }
      if (!preparedAnswer.whole) return null
      into.memory++
      into.bytes += preparedAnswer.size
      return preparedAnswer.whole.acquire()
    },

    /**
     * Keeps the answer in memory. If the other answer for the same object (200 or 304) is there already, both
     * are kept in one entry.
     */
    keep(path: string, { object, size, etag, modified }: ChosenObject, answer: ReadyAnswer): ReadyAnswer {
      answer.acquire()
      const previous = prepared.get(object)
      const isSame = previous?.path === path && previous.modified === modified
      const answers = isSame ? previous : { path, size, etag, modified, whole: null, notModified: null }
      prepared.put(object, { ...answers, [answer.status === 304 ? 'notModified' : 'whole']: answer })
      return answer
    },
  }
}

/** Counts an answer in the metrics. `size`: the size of the object, or 0 if the answer has no body. */
function countAnswer(into: ContentTally, { status, range }: AnswerPlan, size: number): void {
  if (status === 304) into.notModified++
  else if (range) into.part++
  else if (size === 0) into.head++
  else into.whole++
  into.bytes += range ? range.end - range.start : size
}
