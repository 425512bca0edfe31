/** Downloads a file, with retries for temporary errors. */
import { essence, isMediaType } from '../../contract/paths/kinds.ts'
import { clientTrouble } from '../../errors/client.ts'
import { createIdleLimit } from './idle-limit.ts'
import type { Pacer } from './pacer.ts'
import { askedPause, isTransient, type Patience, TransientError, withRetries } from './patience.ts'
import type { LocalCopy } from './sources/item.ts'
import { writeChunks } from './write-chunks.ts'

/** Milliseconds without a byte after which an attempt is given up. */
const SOURCE_IDLE = 60_000

export interface FetchParts {
  pace: Pacer
  patience: Patience
  now(): number
}

export type FetchFile = (address: string, file: string) => Promise<LocalCopy>

export function createFetchFile({ pace, patience, now }: FetchParts): FetchFile {
  async function attempt(address: string, file: string): Promise<LocalCopy> {
    await pace()
    using idle = createIdleLimit(SOURCE_IDLE)
    // The header does not name `image/webp`, so that hosts that have a WebP variant send the original.
    const response = await fetch(address, { headers: { Accept: '*/*' }, signal: idle.signal })
    const { ok, status, headers, body } = response
    if (!ok || !body) {
      const trouble = clientTrouble.sourceRefuses(status)
      throw isTransient(status) ? new TransientError(trouble, askedPause(headers, now())) : trouble
    }
    if ((await writeChunks(file, body, idle.touch)) === 0) throw clientTrouble.sourceEmpty()
    return { file, mime: declaredType(headers) }
  }

  return (address, file) =>
    withRetries(
      () =>
        attempt(address, file).catch(error => {
          throw isConnectionError(error) ? new TransientError(clientTrouble.sourceUnreachable(error)) : error
        }),
      patience,
    )
}

function declaredType(headers: Headers): string | undefined {
  const type = essence(headers.get('Content-Type') ?? '')
  return isMediaType(type) ? type : undefined
}

/** Connection errors are thrown by `fetch`; errors of the disk have the name of a system call. */
const isConnectionError = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof TransientError) &&
  error.name !== 'ClientTrouble' &&
  !('syscall' in error && ['open', 'write'].includes(String(error.syscall)))
