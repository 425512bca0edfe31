/** Uploads one file unless the service has it, by path and hash: a killed run continues where it stopped. */

import { sha256Of } from '../../base/hash/sha256.ts'
import { clientTrouble } from '../../errors/client.ts'
import type { Alterations } from './alterations.ts'
import { type Patience, TransientError, withRetries } from './patience.ts'
import type { ServiceClient, UploadAnswer } from './service.ts'

export interface DeliveryRequest {
  path: string
  file: string
  mime?: string | undefined
  /** The hash that the file must have; if the file has another one, it is not sent. */
  expected?: string | undefined
}

/**
 * `sent`: the file is new. `replaced`: it replaced other content. `present`: the service had it already.
 * `kept`: other content was at the path and was not overwritten.
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
  patience: Patience
  alterations: Alterations
  /** Whether existing files are overwritten. */
  overwrite: boolean
  dryRun: boolean
  onBytes?(count: number): void
}

export type Deliver = (request: DeliveryRequest) => Promise<Delivery>

export function createDeliver(parts: DeliverParts): Deliver {
  const { service, patience, alterations, overwrite, dryRun, onBytes = () => {} } = parts

  return async ({ path, file, mime, expected }) => {
    const { size, sha256 } = await measureFile(file)
    if (expected !== undefined && sha256 !== expected) throw clientTrouble.sourceDiffers()
    // The bytes of a failed attempt are subtracted, so that a progress bar does not exceed its end.
    let counted = 0
    const resumption = {}
    const count = (bytes: number) => {
      counted += bytes
      onBytes(bytes)
    }
    return withRetries(async () => {
      const there = await service.exists(path)
      const resultOf = (status: DeliveryStatus, url = there.url) => {
        count(size - counted)
        return { status, path, url, size, sha256 }
      }
      const same = there.exists && [sha256, alterations.storedAs(path, sha256)].includes(there.sha256)
      if (same) return resultOf('present')
      if (there.exists && !overwrite) return resultOf('kept')
      const status = there.exists ? 'replaced' : 'sent'
      if (dryRun) return resultOf(status)
      count(-counted)
      const stored = await service.upload({
        ...{ path, file, size, sha256, overwrite: there.exists, mime, resumption },
        onBytes: count,
      })
      await check(stored, { path, size, sha256 })
      return resultOf(status, stored.url)
    }, patience)
  }

  /**
   * Checks what was stored. The service may reduce a picture or remove its metadata, but nothing else may
   * differ.
   */
  async function check(
    stored: UploadAnswer,
    { path, size, sha256 }: { path: string; size: number; sha256: string },
  ): Promise<void> {
    if (stored.sha256 === sha256) return
    const madeSmaller = stored.verkleinert ?? (stored.mime.startsWith('image/') && stored.size < size)
    if (!madeSmaller) throw clientTrouble.altered()
    await alterations.remember(path, sha256, stored.sha256)
  }
}

async function measureFile(file: string): Promise<{ size: number; sha256: string }> {
  let size = 0
  try {
    const sha256 = await sha256Of(Bun.file(file).stream(), chunk => {
      size += chunk.length
    })
    return { size, sha256 }
  } catch (error) {
    throw clientTrouble.unreadable(error)
  }
}

/** Checks address and token once before the first file, without retries. */
export async function checkAccess(service: ServiceClient, path: string): Promise<void> {
  await service.exists(path).catch(error => {
    throw error instanceof TransientError ? error.trouble : error
  })
}
