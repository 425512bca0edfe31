/**
 * The error catalogue: every code, its status and its German sentence, by area. Nothing reaches a client that does
 * not stand there; `http/render.ts` turns an entry into an answer. Warnings have theirs in `contract/warnings.ts`.
 */
import { accessFailures } from './errors/access.ts'
import { fetchFailures } from './errors/fetch-url.ts'
import { libraryFailures } from './errors/library.ts'
import { requestFailures } from './errors/request.ts'
import { serviceFailures } from './errors/service.ts'
import { uploadFailures } from './errors/upload.ts'

export { Failure } from './errors/failure.ts'

export const failure = {
  ...requestFailures,
  ...accessFailures,
  ...libraryFailures,
  ...uploadFailures,
  ...fetchFailures,
  ...serviceFailures,
} as const
