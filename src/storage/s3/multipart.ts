/**
 * Large objects, sent in parts. The store checks each part by MD5 and SHA-256. The object appears when the
 * upload is completed after the last part. A failed upload is aborted, or left for the next attempt to
 * resume; an upload whose process died is removed later (`abortOldUploads`).
 */
import { open } from 'node:fs/promises'
import { longPath } from '../local/platform.ts'
import { type ContentDigest, StorageUnavailableError } from '../storage.ts'
import { type S3Requests, textBody } from './requests.ts'
import { decodeKey, elementsOf, escapeXml, textOf } from './xml.ts'

export const PART_SIZE = 16 * 1024 * 1024

/** Number of bytes that are hashed at once; other requests run in between. */
const HASH_PIECE_BYTES = 256 * 1024

/**
 * Additional milliseconds for the request that completes an upload: some stores assemble the parts before
 * they answer it.
 */
const COMPLETION_EXTRA_TIME = 60_000

const NOT_FOUND = 404

/** A part of an object, with the hashes by which the store checks the part. */
interface PartBody {
  bytes: Blob | Uint8Array<ArrayBuffer>
  size: number
  md5: string
  sha256: string
}

interface LargeObject {
  name: string
  /** All parts except the last one have `PART_SIZE` bytes. */
  parts: AsyncIterable<PartBody>
  /** Headers of the request that begins the upload; the store keeps them with the object. */
  headers: Record<string, string>
  /**
   * Asks whether the store has the whole object. Called if completing the upload seems to have failed,
   * because an earlier answer may have been lost.
   */
  isComplete: () => Promise<boolean>
  /**
   * Whether to resume an interrupted upload of this name: a part that the store has with the same MD5 is not
   * sent again, and an upload that fails is not aborted. Allowed only if an object with this name always has
   * the same bytes.
   */
  isResumable?: boolean
}

export async function putParts(requests: S3Requests, object: LargeObject): Promise<void> {
  const { name: key, headers, isResumable = false } = object
  const earlierUploadId = isResumable ? await findUnfinishedUpload(requests, key) : null
  const uploadId = earlierUploadId ?? (await beginUpload(requests, key, headers))
  const storedParts =
    earlierUploadId === null ? new Map<number, string>() : await listParts(requests, key, earlierUploadId)
  try {
    const etags: string[] = []
    for await (const part of object.parts) {
      const partNumber = etags.length + 1
      const etag = storedParts.get(partNumber)
      const isStored = etag !== undefined && hasEtag(part, etag)
      etags.push(isStored ? etag : await putPart(requests, { key, uploadId, partNumber }, part))
    }
    await completeUpload(requests, object, uploadId, etags)
  } catch (error) {
    if (!isResumable) await abortUpload(requests, key, uploadId).catch(() => {})
    throw error
  }
}

/** Begins a multipart upload and returns its id. */
export async function beginUpload(
  { send }: S3Requests,
  key: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await send({ method: 'POST', key, query: { uploads: '' }, headers })
  const uploadId = textOf(await answer.text(), 'UploadId')
  if (uploadId === undefined) throw new StorageUnavailableError(`the store begins no upload of ${key}`)
  return uploadId
}

/**
 * Whether `etag`, the ETag of a part in the store, shows that the stored part has the same bytes as this one.
 * Stores use the MD5 of a part as its ETag; if one does not, the part is sent again.
 */
const hasEtag = ({ md5 }: PartBody, etag: string) =>
  etag.replaceAll('"', '') === Buffer.from(md5, 'base64').toString('hex')

/** The id of an unfinished upload of an object with this name; null if there is none. */
async function findUnfinishedUpload(requests: S3Requests, name: string): Promise<string | null> {
  for await (const { key, id } of listUnfinishedUploads(requests, name)) if (key === name) return id
  return null
}

/** The ETags of the parts that the store has, by their numbers. */
async function listParts({ send }: S3Requests, key: string, uploadId: string): Promise<Map<number, string>> {
  const parts = new Map<number, string>()
  for (let marker = '0'; ; ) {
    const query = { uploadId, 'part-number-marker': marker, 'max-parts': '1000' }
    const answer = await send({ method: 'GET', key, query, allowedStatuses: [NOT_FOUND] })
    const xml = await answer.text()
    for (const partXml of answer.status === NOT_FOUND ? [] : elementsOf(xml, 'Part'))
      parts.set(Number(textOf(partXml, 'PartNumber')), textOf(partXml, 'ETag') ?? '')
    const nextMarker = textOf(xml, 'NextPartNumberMarker')
    if (textOf(xml, 'IsTruncated') !== 'true' || nextMarker === undefined || nextMarker === marker)
      return parts
    marker = nextMarker
  }
}

/** Sends a part and returns its ETag. */
export async function putPart(
  { send }: S3Requests,
  { key, uploadId, partNumber }: { key: string; uploadId: string; partNumber: number },
  { bytes, size, md5, sha256 }: PartBody,
): Promise<string> {
  const answer = await send({
    method: 'PUT',
    key,
    query: { partNumber: String(partNumber), uploadId },
    headers: { 'content-md5': md5 },
    body: { bytes, size, sha256 },
  })
  await answer.text()
  const etag = answer.headers.get('etag')
  if (etag === null) throw new StorageUnavailableError(`the store gives no tag for a part of ${key}`)
  return etag
}

export async function* partsOfFile(file: string, { size }: ContentDigest): AsyncGenerator<PartBody> {
  for (let start = 0; start < size; start += PART_SIZE)
    yield partOfFile(file, start, Math.min(start + PART_SIZE, size))
}

export async function partOfFile(file: string, start: number, end: number): Promise<PartBody> {
  const hashes = await hashesOf(file, start, end)
  return { bytes: Bun.file(file).slice(start, end), size: end - start, ...hashes }
}

/**
 * Splits a stream into parts. It has only one part in memory at a time, and a buffer of `PART_SIZE` bytes.
 */
export async function* partsOfStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<PartBody> {
  const buffer = new Uint8Array(PART_SIZE)
  let filledBytes = 0
  const takePart = (): PartBody => {
    const bytes = buffer.slice(0, filledBytes)
    filledBytes = 0
    const md5 = new Bun.CryptoHasher('md5').update(bytes).digest('base64')
    return { bytes, size: bytes.length, md5, sha256: Bun.SHA256.hash(bytes, 'hex') }
  }
  for await (const chunk of chunks)
    for (let offset = 0; offset < chunk.length; ) {
      const slice = chunk.subarray(offset, offset + PART_SIZE - filledBytes)
      buffer.set(slice, filledBytes)
      filledBytes += slice.length
      offset += slice.length
      if (filledBytes === PART_SIZE) yield takePart()
    }
  if (filledBytes > 0) yield takePart()
}

async function hashesOf(file: string, start: number, end: number): Promise<{ md5: string; sha256: string }> {
  const [md5, sha256] = [new Bun.CryptoHasher('md5'), new Bun.CryptoHasher('sha256')]
  await using handle = await open(longPath(file), 'r')
  const pieceBuffer = new Uint8Array(HASH_PIECE_BYTES)
  for (let offset = start; offset < end; ) {
    const { bytesRead } = await handle.read(pieceBuffer, 0, Math.min(HASH_PIECE_BYTES, end - offset), offset)
    if (bytesRead === 0) throw new Error(`${file} is shorter than was said`)
    md5.update(pieceBuffer.subarray(0, bytesRead))
    sha256.update(pieceBuffer.subarray(0, bytesRead))
    offset += bytesRead
  }
  return { md5: md5.digest('base64'), sha256: sha256.digest('hex') }
}

export async function completeUpload(
  { send }: S3Requests,
  { name, isComplete }: Pick<LargeObject, 'name' | 'isComplete'>,
  uploadId: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  )
  const answer = await send({
    method: 'POST',
    key: name,
    query: { uploadId },
    body: textBody(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
    extraTimeoutMs: COMPLETION_EXTRA_TIME,
    allowedStatuses: [NOT_FOUND],
  })
  // The store may send the status before the work is done, so the body of a successful answer may contain an
  // error.
  const [errorXml] = elementsOf(await answer.text(), 'Error')
  if (errorXml === undefined && answer.status !== NOT_FOUND) return
  if (!(await isComplete())) throw new StorageUnavailableError(`the store does not complete ${name}`)
}

export async function abortUpload({ send }: S3Requests, key: string, uploadId: string): Promise<void> {
  const answer = await send({ method: 'DELETE', key, query: { uploadId }, allowedStatuses: [NOT_FOUND] })
  await answer.text()
}

/**
 * Aborts every upload below `prefix` that began before `begunBefore` (Unix milliseconds) and was not
 * completed, except uploads of `keptKeys`. Returns the number of aborted uploads.
 */
export async function abortOldUploads(
  requests: S3Requests,
  begunBefore: number,
  prefix = '',
  keptKeys: ReadonlySet<string> = new Set(),
): Promise<number> {
  let abortedCount = 0
  for await (const { key, id, begunAt } of listUnfinishedUploads(requests, prefix)) {
    if (begunAt >= begunBefore || keptKeys.has(key)) continue
    await abortUpload(requests, key, id)
    abortedCount++
  }
  return abortedCount
}

async function* listUnfinishedUploads(requests: S3Requests, prefix: string) {
  for (let markers: Record<string, string> = {}; ; ) {
    const query = { uploads: '', 'encoding-type': 'url', 'max-uploads': '1000', prefix, ...markers }
    const xml = await (await requests.send({ method: 'GET', query })).text()
    for (const uploadXml of elementsOf(xml, 'Upload')) {
      const [key, id] = [textOf(uploadXml, 'Key'), textOf(uploadXml, 'UploadId')]
      if (key !== undefined && id !== undefined)
        yield { key: decodeKey(key), id, begunAt: Date.parse(textOf(uploadXml, 'Initiated') ?? '') }
    }
    const [key, id] = [textOf(xml, 'NextKeyMarker'), textOf(xml, 'NextUploadIdMarker')]
    if (textOf(xml, 'IsTruncated') !== 'true' || key === undefined || id === undefined) return
    markers = { 'key-marker': decodeKey(key), 'upload-id-marker': id }
  }
}
