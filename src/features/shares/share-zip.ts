/**
 * Sends a shared folder, or one of its subfolders, as a ZIP. The size of the ZIP and the downloads per
 * visitor are limited.
 */
import { localDay } from '../../base/local-time.ts'
import { zipName } from '../../contract/files/download.ts'
import { nameOf } from '../../contract/paths/path-parts.ts'
import { SHARE_ZIP_MAX_BYTES, SHARE_ZIP_MAX_FILES } from '../../contract/values/input-limits.ts'
import { failure } from '../../errors/errors.ts'
import { type FindClientAddress, networkOf, type PeerAddresses } from '../../http/access/client-address.ts'
import { everythingBelow } from '../../http/access/library-area.ts'
import { createVisitorLimiter, type VisitorLimits } from '../../http/access/visitors.ts'
import { byteStream } from '../../http/bodies/streams.ts'
import { StreamAnswer } from '../../http/server/answers.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { downloadEntries } from '../download/download.ts'
import { zipArchive } from '../download/zip-writer.ts'
import type { FeatureParts } from '../feature.ts'
import { filesInArea } from '../folders/files-below.ts'
import { readAreaTotals } from '../folders/folders.store.ts'

/**
 * `concurrent`: maximum number of concurrent archives per visitor network, per link and in total. `hourly`:
 * maximum number of archives (`files`) and bytes per hour and visitor network; the bytes allow three archives
 * of the maximum size. Each process counts for itself.
 */
const ZIP_LIMITS: VisitorLimits = {
  concurrent: { visitor: 2, link: 8, all: 16 },
  hourly: { files: 60, bytes: 3 * SHARE_ZIP_MAX_BYTES },
}

interface ShareZipParts extends Pick<FeatureParts, 'database' | 'storage' | 'now'> {
  clientAddress: FindClientAddress
}

interface ZipRequest {
  request: IncomingRequest
  peers: PeerAddresses
  key: string
  /** The whole path of the folder. */
  folder: string
  headers: Readonly<Record<string, string>>
}

export type ShareZip = ReturnType<typeof createShareZip>

export function createShareZip(parts: ShareZipParts) {
  const { database, now, clientAddress } = parts
  const limiter = createVisitorLimiter({ now, limits: ZIP_LIMITS, createRefusal: failure.shareZipsCrowded })

  /**
   * Answers a request for the archive. Rejects with 413 if the folder is too large, 404 if it has no files,
   * 429 if a limit is reached.
   */
  return async ({ request, peers, key, folder, headers }: ZipRequest): Promise<Response> => {
    const area = everythingBelow(folder)
    const { files, bytes } = await readAreaTotals(database.slowRead, area)
    if (files === 0) throw failure.folderAbsent()
    if (files > SHARE_ZIP_MAX_FILES || bytes > SHARE_ZIP_MAX_BYTES)
      throw failure.shareTooLarge(SHARE_ZIP_MAX_FILES, SHARE_ZIP_MAX_BYTES)
    const name = nameOf(folder)
    const responseInit = {
      headers: {
        ...headers,
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename="${zipName(name, localDay(now()))}"`,
      },
    }
    if (request.method === 'HEAD') return new Response(null, responseInit)
    const transfer = limiter.beginTransfer(networkOf(clientAddress(request, peers)), key)
    transfer.recordTransfer(bytes)
    // The archive contains the folder itself, but none of the folders above it.
    const prefixLength = folder.length - name.length
    const entries = downloadEntries(parts, filesInArea(database.read, area), prefixLength)
    return new StreamAnswer(
      byteStream(zipArchive(entries), () => transfer[Symbol.dispose]()),
      responseInit,
    )
  }
}
