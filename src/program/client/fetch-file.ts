/** Downloads a file, with retries for temporary errors. */
import { isMediaType, mediaTypeEssence } from '../../contract/paths/kinds.ts'
import { clientErrors } from '../../errors/client.ts'
import { createIdleLimit } from './idle-limit.ts'
import type { Pacer } from './pacer.ts'
import {
  isTransientStatus,
  type RetryPolicy,
  retryAfterPause,
  TransientError,
  withRetries,
} from './retries.ts'
import type { LocalCopy } from './sources/item.ts'
import { writeChunks } from './write-chunks.ts'

/** Milliseconds without a received byte after which an attempt is aborted. */
const SOURCE_IDLE_LIMIT = 60_000

export interface FetchParts {
  pace: Pacer
  retryPolicy: RetryPolicy
  now(): number
}

export type FetchFile = (address: string, file: string) => Promise<LocalCopy>

export function createFetchFile({ pace, retryPolicy, now }: FetchParts): FetchFile {
  async function attemptDownload(address: string, file: string): Promise<LocalCopy> {
    await pace()
    using idleLimit = createIdleLimit(SOURCE_IDLE_LIMIT)
    // `Accept` does not name `image/webp`, so that hosts that have a WebP variant send the original.
    const response = await fetch(address, { headers: { Accept: '*/*' }, signal: idleLimit.signal })
    const { ok, status, headers, body } = response
    if (!ok || !body) {
      const trouble = clientErrors.sourceRefuses(status)
      throw isTransientStatus(status) ? new TransientError(trouble, retryAfterPause(headers, now())) : trouble
    }
    if ((await writeChunks(file, body, idleLimit.touch)) === 0) throw clientErrors.sourceEmpty()
    return { file, mime: declaredType(headers) }
  }

  return (address, file) =>
    withRetries(
      () =>
        attemptDownload(address, file).catch(error => {
          throw isConnectionError(error) ? new TransientError(clientErrors.sourceUnreachable(error)) : error
        }),
      retryPolicy,
    )
}

function declaredType(headers: Headers): string | undefined {
  const mediaType = mediaTypeEssence(headers.get('Content-Type') ?? '')
  return isMediaType(mediaType) ? mediaType : undefined
}

/**
 * Whether the connection to the source failed. An error of the local disk has `syscall` `open` or `write`.
 */
const isConnectionError = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof TransientError) &&
  error.name !== 'ClientTrouble' &&
  !('syscall' in error && ['open', 'write'].includes(String(error.syscall)))
