/** Fetches files from a public address, and stores them. */

import { pathBelow } from '../../contract/paths/path-parts.ts'
import { Failure, failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import { checkDigests, type Digest } from '../../http/bodies/digests.ts'
import { lowerCasePath } from '../../http/path-check.ts'
import type { FeatureParts } from '../feature.ts'
import { findByPath } from '../media/media.store.ts'
import type { Media, StoredFile } from '../media/media.ts'
import { extensionOfName } from '../upload/file-extension.ts'
import { type ReceivedFile, receiveBytes } from '../upload/receive-bytes.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { uploadLimit } from '../upload/size-limit.ts'
import { declaredEssence, typeOfBytes, typeOfExtension, typeOfPath } from '../upload/type-lookup.ts'
import { chooseFileName } from './file-name.ts'
import type { Network } from './network.ts'
import { type DownloadSource, withSource } from './redirects.ts'

export interface FetchTask {
  url: string
  /** Valid and in lower case; empty for the top folder. */
  folder: string
  /** The name to store the file under; null for the name that the source suggests. */
  name: string | null
  digests: readonly Digest[]
  actor: Actor
}

/**
 * Fetches and stores a file; stores nothing if it rejects. `disconnectSignal` aborts when the client has
 * disconnected.
 */
export type FetchUrl = (task: FetchTask, disconnectSignal: AbortSignal) => Promise<StoredFile>

interface FetchUrlParts extends Pick<FeatureParts, 'database' | 'storage' | 'settings'> {
  media: Media
  removeMetadata: RemoveMetadata
  network: Network
}

export function createFetchUrl(parts: FetchUrlParts): FetchUrl {
  const { database, storage, media, settings, removeMetadata, network } = parts

  async function receiveFile(source: DownloadSource): Promise<ReceivedFile> {
    const limit = uploadLimit(settings)
    if ((source.announcedBytes ?? 0) > limit.bytes) throw limit.createError()
    try {
      return await receiveBytes(storage, source.bytes, limit)
    } catch (error) {
      throw error instanceof Failure && error.code === 'body-empty' ? failure.sourceEmpty() : error
    }
  }

  async function storeFile(task: FetchTask, file: ReceivedFile, source: DownloadSource): Promise<StoredFile> {
    const { folder, actor } = task
    const { firstBytes } = file
    let cleanedFile: Pick<ReceivedFile, 'staging' | 'size' | 'sha256'> = file
    try {
      checkDigests(task.digests, file)
      cleanedFile = await removeMetadata(file)
      const { staging, size, sha256 } = cleanedFile
      const path = lowerCasePath(
        pathBelow(folder, task.name ?? (await chooseFileName({ ...source, firstBytes, sha256 }, folder))),
      )
      refuseHtmlPage(path, firstBytes)
      const mime = await mediaTypeFor(path, firstBytes, source.contentType)
      return await media.store({ path, staging, size, sha256, mime, actor, overwrite: false })
    } finally {
      await file.staging.discard()
      await cleanedFile.staging.discard()
    }
  }

  return async (task, disconnectSignal) => {
    if (task.name !== null) {
      const path = lowerCasePath(pathBelow(task.folder, task.name))
      if (await findByPath(database.read, path)) throw failure.pathTaken(path)
    }
    const deadline = AbortSignal.any([disconnectSignal, AbortSignal.timeout(network.limits.total)])
    return withSource(task.url, network, deadline, async source =>
      storeFile(task, await receiveFile(source), source),
    )
  }
}

/**
 * Media types under which an HTML page may be stored. The extension of the stored path decides on the type.
 */
const HTML_PAGE_TYPES = /^text\/|^application\/(xhtml\+xml|xml|x-httpd-php|octet-stream)$/

/**
 * Refuses an HTML page whose path has the extension of another type: many hosts answer a missing picture with
 * status 200 and a page. The content decides, as the declared type is often wrong for real pictures too.
 */
function refuseHtmlPage(path: string, firstBytes: Uint8Array): void {
  if (HTML_PAGE_TYPES.test(typeOfPath(path))) return
  if (isHtmlPage(new TextDecoder().decode(firstBytes))) throw failure.sourcePage(extensionOfName(path) ?? '')
}

/** Whether the text begins like an HTML page; comments may precede the first tag. */
function isHtmlPage(text: string): boolean {
  const trimmedText = text.trimStart()
  if (!trimmedText.startsWith('<!--')) return /^<(?:!doctype html|html|head)[\s>]/i.test(trimmedText)
  const commentEnd = trimmedText.indexOf('-->')
  return commentEnd >= 0 && isHtmlPage(trimmedText.slice(commentEnd + '-->'.length))
}

/**
 * The media type of a fetched file. The extension decides; if it is unknown, the content and then the
 * declared type do.
 */
async function mediaTypeFor(path: string, firstBytes: Uint8Array, contentType: string): Promise<string> {
  if (extensionOfName(path) !== null) return typeOfPath(path)
  const detectedType = await typeOfBytes(firstBytes)
  return detectedType?.mime ?? (declaredEssence(contentType) || typeOfExtension(''))
}
