/**
 * Partial uploads (each arrives in several requests) in an object store: parts of a multipart upload, so that
 * no bytes have to be joined later. Bytes that do not fill a part yet are collected in a local file; at the
 * end of a request they become an object below `partial/<id>/` (the tail), which the next request, perhaps on
 * another machine, continues. An upload that never filled a part is stored like any other file.
 */
import { join } from 'node:path'
import { sha256OfStream } from '../../base/hash/sha256.ts'
import type { NewId } from '../../base/ids.ts'
import { download } from '../cache/download.ts'
import type { Scratch } from '../local/scratch.ts'
import {
  type PartialBytes,
  PartialLostError,
  type PartialUpload,
  type Staging,
  type Storage,
} from '../storage.ts'
import { abortUpload, beginUpload, completeUpload, PART_SIZE, partOfFile, putPart } from './multipart.ts'
import { listObjects, type S3Objects, UNKNOWN_HASH_HEADER } from './objects.ts'
import { S3Error, type S3Requests } from './requests.ts'

/**
 * Prefix of the tails, the objects with bytes that do not fill a part yet. No object of a file has this
 * prefix.
 */
const PARTIAL_PREFIX = 'partial/'
const NOT_FOUND = 404

interface UploadState {
  uploadId: string | null
  /** The ETags of the parts that the store has. */
  tags: readonly string[]
  /** The name of the object with the bytes after the last part; null: there are none. */
  tail: string | null
  /** The name of the previous tail, which can be removed once this state is recorded; null: there is none. */
  earlier: string | null
}

const EMPTY_STATE: UploadState = { uploadId: null, tags: [], tail: null, earlier: null }
const parseState = (text: string): UploadState =>
  text === '' ? EMPTY_STATE : (JSON.parse(text) as UploadState)

interface S3PartialsParts {
  requests: S3Requests
  objects: S3Objects
  staging: Pick<Scratch, 'stage' | 'scratch' | 'adopt'>
  newId: NewId
}

type Partials = Pick<Storage, 'resumePartial' | 'removePartial' | 'listPartial'>

export function createS3Partials(parts: S3PartialsParts): Partials {
  const { requests, objects } = parts
  return {
    async resumePartial(upload) {
      const { tail, earlier } = parseState(upload.state)
      if (earlier !== null) await objects.removeAll([earlier])
      const partial = new S3Partial(parts, upload)
      if (tail !== null) await partial.readTail(tail)
      return partial
    },

    async removePartial(id, unfinishedUpload) {
      const { uploadId } = parseState(unfinishedUpload?.state ?? '')
      if (unfinishedUpload && uploadId !== null)
        await abortUpload(requests, unfinishedUpload.object, uploadId)
      const names = unfinishedUpload ? [unfinishedUpload.object] : []
      for await (const { name } of listObjects(requests, `${PARTIAL_PREFIX}${id}/`)) names.push(name)
      for (const error of (await objects.removeAll(names)).values()) throw error
    },

    async *listPartial() {
      for await (const { name } of listObjects(requests, PARTIAL_PREFIX))
        yield name.slice(PARTIAL_PREFIX.length).split('/')[0]!
    },
  }
}

class S3Partial implements PartialBytes {
  private state: UploadState
  /** Total size in bytes of the parts that the store has. */
  private sentSize: number
  /** A local file with the bytes that follow the parts in the store; null if there are none. */
  private localFile: Staging | null = null
  /** Size of `localFile` in bytes. */
  private localSize = 0
  /** Size in bytes of the tail, the object with the first bytes of `localFile`; 0 if there is none. */
  private tailSize = 0

  constructor(
    private readonly parts: S3PartialsParts,
    private readonly upload: PartialUpload,
  ) {
    this.state = parseState(upload.state)
    this.sentSize = Math.min(this.state.tags.length * PART_SIZE, upload.length)
  }

  async readTail(name: string): Promise<void> {
    const { objects } = this.parts
    const foundObject = await objects.get(name)
    if (!foundObject) throw new PartialLostError(`${name} is gone`)
    try {
      await download(objects, name, foundObject, chunk => this.append(chunk))
      if (this.sentSize + this.localSize !== this.upload.received)
        throw new PartialLostError(`${name} differs`)
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw error
    }
    this.tailSize = this.localSize
  }

  private async append(chunk: Uint8Array): Promise<void> {
    this.localFile ??= await this.parts.staging.stage()
    await this.localFile.write(chunk)
    this.localSize += chunk.length
  }

  async write(chunk: Uint8Array): Promise<boolean> {
    let isPartSent = false
    for (let offset = 0; offset < chunk.length; ) {
      const slice = chunk.subarray(offset, offset + PART_SIZE - this.localSize)
      await this.append(slice)
      offset += slice.length
      if (this.localSize < PART_SIZE) continue
      await this.sendPart()
      isPartSent = true
    }
    return isPartSent
  }

  private async sendPart(): Promise<void> {
    const { requests } = this.parts
    const key = this.upload.object
    const { localFile, localSize } = this
    if (!localFile) return
    await localFile.finish()
    const uploadId = this.state.uploadId ?? (await beginUpload(requests, key, UNKNOWN_HASH_HEADER))
    this.state = { ...this.state, uploadId }
    const partNumber = this.state.tags.length + 1
    const part = await partOfFile(await localFile.file(), 0, localSize)
    const etag = await putPart(requests, { key, uploadId, partNumber }, part).catch(throwPartialError)
    this.localFile = null
    this.localSize = 0
    this.tailSize = 0
    this.sentSize += localSize
    this.state = { uploadId, tags: [...this.state.tags, etag], tail: null, earlier: this.state.tail }
    await localFile.discard()
  }

  async save(mustSaveAll: boolean) {
    const { length } = this.upload
    const isComplete = this.sentSize + this.localSize === length
    // The last part may be short. A complete upload that never filled a part is stored as a whole, so it
    // needs no tail.
    if (mustSaveAll && isComplete && this.state.uploadId !== null) await this.sendPart()
    if (mustSaveAll && !isComplete && this.localSize > this.tailSize) await this.saveTail()
    return { received: this.sentSize + this.tailSize, state: JSON.stringify(this.state) }
  }

  private async saveTail(): Promise<void> {
    const { objects, newId } = this.parts
    if (!this.localFile) return
    const file = await this.localFile.file()
    const tail = `${PARTIAL_PREFIX}${this.upload.id}/${newId()}`
    const sha256 = await sha256OfStream(Bun.file(file).stream())
    await objects.put(file, tail, { size: this.localSize, sha256 })
    this.state = { ...this.state, tail, earlier: this.state.tail }
    this.tailSize = this.localSize
  }

  async finish(): Promise<Staging> {
    const { uploadId, tags } = this.state
    const { requests, objects, staging } = this.parts
    const { object: name, length } = this.upload
    if (uploadId === null) {
      const { localFile } = this
      if (!localFile) throw new PartialLostError(`${name} has no bytes`)
      this.localFile = null
      await localFile.finish()
      return localFile
    }
    const isComplete = async () => (await objects.head(name))?.size === length
    await completeUpload(requests, { name, isComplete }, uploadId, tags)
    return stagingOfObject(name, this.parts, staging)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.localFile?.discard()
    this.localFile = null
  }
}

/** Rethrows an error; as `PartialLostError` if the store no longer has the upload (completed or aborted). */
function throwPartialError(error: unknown): never {
  const isLost = error instanceof S3Error && error.status === NOT_FOUND
  throw isLost ? new PartialLostError(error.message, { cause: error }) : error
}

/** Staged bytes that are already an object; a local file is made only when it is needed. */
function stagingOfObject(
  name: string,
  { objects, newId }: S3PartialsParts,
  { scratch, adopt }: Pick<Scratch, 'scratch' | 'adopt'>,
): Staging {
  let localFile: Promise<Staging> | null = null

  async function fetchLocal(): Promise<Staging> {
    const foundObject = await objects.get(name)
    if (!foundObject) throw new PartialLostError(`${name} is gone`)
    const file = join(scratch, newId())
    const writer = Bun.file(file).writer()
    await download(objects, name, foundObject, async chunk => {
      writer.write(chunk)
      await writer.flush()
    })
    await writer.end()
    return adopt(file)
  }

  const discard = async () => (await localFile?.catch(() => null))?.discard()
  return {
    object: name,
    bytes: null,
    discard,
    [Symbol.asyncDispose]: discard,
    async file() {
      localFile ??= fetchLocal()
      return (await localFile).file()
    },
    write: () => Promise.reject(new Error('these bytes are complete')),
    finish: async () => {},
    markMoved() {},
  }
}
