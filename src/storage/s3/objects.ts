/**
 * Writes, measures, reads, lists and removes objects of a bucket. An object in the bucket is always complete.
 */
import { batches } from '../../base/batches.ts'
import { type ByteRange, type ContentDigest, type ListedObject, StorageUnavailableError } from '../storage.ts'
import { partsOfFile, putParts } from './multipart.ts'
import { type S3Answer, type S3Request, type S3Requests, textBody } from './requests.ts'
import { decodeKey, elementsOf, escapeXml, textOf } from './xml.ts'

/** Minimum size of an object that is sent in parts, so that a failed part can be sent again by itself. */
export const MULTIPART_MIN_BYTES = 16 * 1024 * 1024

/** The header with the SHA-256 of the whole object, which the store keeps as metadata. */
const HASH_HEADER = 'x-amz-meta-sha256'

/**
 * Stored instead of the hash if an upload in parts began before its last byte was known. The row of the file
 * has the hash.
 */
export const UNKNOWN_HASH = 'unknown'
export const UNKNOWN_HASH_HEADER = { [HASH_HEADER]: UNKNOWN_HASH } as const

/** S3's limit of keys in one `DeleteObjects` request. */
const DELETE_BATCH_SIZE = 1000

const NOT_FOUND = 404
export const NAME_TAKEN_STATUS = 412

export interface FoundObject {
  /**
   * Size and hash of the whole object as the store reports them; the hash is empty if the object was stored
   * without one, and may be `UNKNOWN_HASH`.
   */
  content: ContentDigest
  answer: S3Answer
}

export type S3Objects = ReturnType<typeof createS3Objects>

export function createS3Objects(requests: S3Requests) {
  const { send } = requests

  async function head(name: string): Promise<ContentDigest | null> {
    const answer = await send({ method: 'HEAD', key: name, allowedStatuses: [NOT_FOUND] })
    return answer.status === NOT_FOUND
      ? null
      : { size: sizeFromHeaders(answer, name), sha256: hashFromHeaders(answer) }
  }

  const hasContent = async (name: string, { size, sha256 }: ContentDigest) => {
    const storedContent = await head(name)
    return storedContent?.size === size && storedContent.sha256 === sha256
  }

  async function putWhole(
    bytes: NonNullable<S3Request['body']>['bytes'],
    name: string,
    content: ContentDigest,
  ): Promise<void> {
    const answer = await send({
      method: 'PUT',
      key: name,
      headers: { [HASH_HEADER]: content.sha256, 'if-none-match': '*' },
      body: { bytes, ...content },
      allowedStatuses: [NAME_TAKEN_STATUS],
    })
    await answer.text()
    // An earlier attempt whose answer was lost, or an upload of the same bytes, may have taken the name.
    if (answer.status === NAME_TAKEN_STATUS && !(await hasContent(name, content)))
      throw new StorageUnavailableError(`the name ${name} has other bytes in the store`)
  }

  /** Requests an object; null if it is absent. The caller must read the answer or drop it. */
  async function get(name: string, range?: ByteRange): Promise<FoundObject | null> {
    const headers = range ? { range: `bytes=${range.start}-${range.end - 1}` } : {}
    const answer = await send({ method: 'GET', key: name, headers, allowedStatuses: [NOT_FOUND] })
    if (answer.status !== NOT_FOUND)
      return { content: { size: sizeFromHeaders(answer, name), sha256: hashFromHeaders(answer) }, answer }
    // A missing bucket must not be mistaken for a missing file.
    const code = textOf(await answer.text(), 'Code')
    if (code !== undefined && code !== 'NoSuchKey')
      throw new StorageUnavailableError(`the store says ${code}`)
    return null
  }

  return {
    get,
    head,
    /**
     * Stores a local file or bytes under a name. Rejects if other bytes are already stored under the name,
     * except that a file that is sent in parts replaces them.
     */
    put: (fileOrBytes: string | Uint8Array<ArrayBuffer>, name: string, content: ContentDigest) =>
      typeof fileOrBytes !== 'string' || content.size < MULTIPART_MIN_BYTES
        ? putWhole(typeof fileOrBytes === 'string' ? Bun.file(fileOrBytes) : fileOrBytes, name, content)
        : putParts(requests, {
            name,
            parts: partsOfFile(fileOrBytes, content),
            headers: { [HASH_HEADER]: content.sha256 },
            isComplete: () => hasContent(name, content),
          }),
    /** Returns the errors of the objects that could not be removed, by name. */
    removeAll: (names: readonly string[]) => removeAll(requests, names),
  }
}

async function removeAll(requests: S3Requests, names: readonly string[]): Promise<Map<string, unknown>> {
  const errors = new Map<string, unknown>()
  for (const batch of batches(names, DELETE_BATCH_SIZE)) {
    try {
      for (const [name, code] of await removeBatch(requests, batch)) errors.set(name, new Error(code))
    } catch (error) {
      for (const name of batch) errors.set(name, error)
    }
  }
  return errors
}

/** Removes objects. Returns the store's errors for those that it did not remove, by name. */
async function removeBatch({ send }: S3Requests, names: readonly string[]): Promise<[string, string][]> {
  const keys = names.map(name => `<Object><Key>${escapeXml(name)}</Key></Object>`).join('')
  const body = textBody(`<Delete><Quiet>true</Quiet>${keys}</Delete>`)
  const answer = await send({
    method: 'POST',
    query: { delete: '' },
    headers: { 'content-md5': new Bun.CryptoHasher('md5').update(body.bytes).digest('base64') },
    body,
  })
  const errorElements = [...elementsOf(await answer.text(), 'Error')]
  return errorElements
    .map((errorXml): [string, string] => [textOf(errorXml, 'Key') ?? '', textOf(errorXml, 'Code') ?? ''])
    .filter(([, code]) => code !== 'NoSuchKey')
}

/**
 * Size of the whole object in bytes. For a range, the size is after the slash in `Content-Range` (`bytes
 * 0-9/100`).
 */
function sizeFromHeaders({ headers }: S3Answer, name: string): number {
  const lengthText = headers.get('content-range')?.split('/').at(-1) ?? headers.get('content-length')
  const size = Number(lengthText ?? Number.NaN)
  if (!Number.isSafeInteger(size)) throw new StorageUnavailableError(`the store tells no length of ${name}`)
  return size
}

const hashFromHeaders = ({ headers }: S3Answer) => headers.get(HASH_HEADER) ?? ''

export async function* listObjects({ send }: S3Requests, prefix: string): AsyncGenerator<ListedObject> {
  for (let continuationToken: string | undefined; ; ) {
    const query = { 'list-type': '2', 'encoding-type': 'url', prefix }
    const answer = await send({
      method: 'GET',
      query: continuationToken === undefined ? query : { ...query, 'continuation-token': continuationToken },
    })
    const xml = await answer.text()
    for (const objectXml of elementsOf(xml, 'Contents')) {
      const modifiedAt = Date.parse(textOf(objectXml, 'LastModified') ?? '')
      const [name, size] = [decodeKey(textOf(objectXml, 'Key') ?? ''), Number(textOf(objectXml, 'Size'))]
      yield { name, size, changedAt: modifiedAt, writtenAt: modifiedAt }
    }
    continuationToken =
      textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : undefined
    if (continuationToken === undefined) return
  }
}
