/**
 * Uploads one file, unless the service already has it at this path, or has other content there that must not
 * be overwritten. So a repeated run continues where a killed one stopped.
 */

import { sha256OfStream } from '../../base/hash/sha256.ts'
import { clientErrors } from '../../errors/client.ts'
import type { AlterationLog } from './alterations.ts'
import { type RetryPolicy, TransientError, withRetries } from './retries.ts'
import type { ServiceClient, UploadAnswer } from './service.ts'

export interface DeliveryRequest {
  path: string
  file: string
  mime?: string | undefined
  /** The hash that the file must have. If it has another one, the delivery fails and nothing is sent. */
  expectedSha256?: string | undefined
}

/**
 * `sent`: the file is new. `replaced`: it replaced other content. `present`: the service already had it.
 * `kept`: other content was at the path and was not overwritten. With `dryRun`, this is what would happen.
 */
export type DeliveryStatus = 'sent' | 'replaced' | 'present' | 'kept'

export interface Delivery {
  status: DeliveryStatus
  path: string
  url: string
  /** Bytes of the local file. The service may have stored a smaller picture. */
  size: number
  sha256: string
}

export interface DeliverParts {
  service: ServiceClient
  retryPolicy: RetryPolicy
  alterations: AlterationLog
  /** Whether existing files are overwritten. */
  overwrite: boolean
  dryRun: boolean
  /**
   * Called with the number of bytes that were sent or need not be sent. The number is negative when the bytes
   * of a failed attempt are subtracted.
   */
  onBytes?(count: number): void
}

export type Deliver = (request: DeliveryRequest) => Promise<Delivery>

export function createDelivery(parts: DeliverParts): Deliver {
  const { service, retryPolicy, alterations, overwrite, dryRun, onBytes = () => {} } = parts

  return async ({ path, file, mime, expectedSha256 }) => {
    const { size, sha256 } = await measureFile(file)
    if (expectedSha256 !== undefined && sha256 !== expectedSha256) throw clientErrors.sourceDiffers()
    // The bytes of a failed attempt are subtracted, so that the progress never exceeds 100 %.
    let countedBytes = 0
    const resumption = {}
    const countBytes = (bytes: number) => {
      countedBytes += bytes
      onBytes(bytes)
    }
    return withRetries(async () => {
      const existingFile = await service.exists(path)
      const finishWith = (status: DeliveryStatus, url = existingFile.url) => {
        countBytes(size - countedBytes)
        return { status, path, url, size, sha256 }
      }
      const hasSameContent =
        existingFile.exists && [sha256, alterations.storedHash(path, sha256)].includes(existingFile.sha256)
      if (hasSameContent) return finishWith('present')
      if (existingFile.exists && !overwrite) return finishWith('kept')
      const status = existingFile.exists ? 'replaced' : 'sent'
      if (dryRun) return finishWith(status)
      countBytes(-countedBytes)
      const storedFile = await service.upload({
        path,
        file,
        size,
        sha256,
        overwrite: existingFile.exists,
        mime,
        resumption,
        onBytes: countBytes,
      })
      await checkStored(storedFile, { path, size, sha256 })
      return finishWith(status, storedFile.url)
    }, retryPolicy)
  }

  /**
   * Checks that the service has stored the same content, or a picture that it has scaled down or whose
   * metadata it has removed. The hash of such a picture is remembered. Any other difference is an error.
   */
  async function checkStored(
    storedFile: UploadAnswer,
    { path, size, sha256 }: { path: string; size: number; sha256: string },
  ): Promise<void> {
    if (storedFile.sha256 === sha256) return
    const isReduced =
      storedFile.verkleinert ?? (storedFile.mime.startsWith('image/') && storedFile.size < size)
    if (!isReduced) throw clientErrors.altered()
    await alterations.remember(path, sha256, storedFile.sha256)
  }
}

async function measureFile(file: string): Promise<{ size: number; sha256: string }> {
  let size = 0
  try {
    const sha256 = await sha256OfStream(Bun.file(file).stream(), chunk => {
      size += chunk.length
    })
    return { size, sha256 }
  } catch (error) {
    throw clientErrors.unreadable(error)
  }
}

/** Checks address and token with one request before the first file is sent, without retries. */
export async function checkAccess(service: ServiceClient, path: string): Promise<void> {
  await service.exists(path).catch(error => {
    throw error instanceof TransientError ? error.finalError : error
  })
}
