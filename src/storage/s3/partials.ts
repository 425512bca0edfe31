/**
 * Partial uploads in an object store: parts of a multipart upload, so that no bytes have to be joined later.
 * Bytes that do not fill a part yet are collected in a local file; at the end of a request they become an
 * object below `partial/<id>/` (the tail), which the next request, perhaps on another machine, continues. An
 * upload that never filled a part is stored like any other file.
 */
import { join } from 'node:path'
import { sha256Of } from '../../base/hash/sha256.ts'
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
import { HASH_NOT_KNOWN, listObjects, type S3Objects } from './objects.ts'
import { S3Error, type S3Requests } from './requests.ts'

/** Prefix of the tails; no file's object begins like this. */
const PARTIAL = 'partial/'
const ABSENT = 404

interface State {
  uploadId: string | null
  /** The ETags of the parts that the store has. */
  tags: readonly string[]
  tail: string | null
  /** The previous tail, which no request needs once this state is recorded. */
  earlier: string | null
}

const EMPTY: State = { uploadId: null, tags: [], tail: null, earlier: null }
const stateOf = (text: string): State => (text === '' ? EMPTY : (JSON.parse(text) as State))

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
      const { tail, earlier } = stateOf(upload.state)
      if (earlier !== null) await objects.removeAll([earlier])
      const partial = new S3Partial(parts, upload)
      if (tail !== null) await partial.readTail(tail)
      return partial
    },

    async removePartial(id, unfinished) {
      const { uploadId } = stateOf(unfinished?.state ?? '')
      if (unfinished && uploadId !== null) await abortUpload(requests, unfinished.object, uploadId)
      const names = unfinished ? [unfinished.object] : []
      for await (const { name } of listObjects(requests, `${PARTIAL}${id}/`)) names.push(name)
      for (const error of (await objects.removeAll(names)).values()) throw error
    },

    async *listPartial() {
      for await (const { name } of listObjects(requests, PARTIAL))
        yield name.slice(PARTIAL.length).split('/')[0]!
    },
  }
}

class S3Partial implements PartialBytes {
  private state: State
  /** Number of bytes in the parts that the store has. */
  private sent: number
  /** The bytes that follow these parts, in a local file. */
  private local: Staging | null = null
  private filled = 0
  /** How many of the `filled` bytes are also in the tail. */
  private inTail = 0

  constructor(
    private readonly parts: S3PartialsParts,
    private readonly upload: PartialUpload,
  ) {
    this.state = stateOf(upload.state)
    this.sent = Math.min(this.state.tags.length * PART_SIZE, upload.length)
  }

  async readTail(name: string): Promise<void> {
    const { objects } = this.parts
    const found = await objects.get(name)
    if (!found) throw new PartialLostError(`${name} is gone`)
    try {
      await download(objects, name, found, chunk => this.append(chunk))
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw error
    }
    if (this.sent + this.filled !== this.upload.received) throw new PartialLostError(`${name} differs`)
    this.inTail = this.filled
  }

  private async append(chunk: Uint8Array): Promise<void> {
    this.local ??= await this.parts.staging.stage()
    await this.local.write(chunk)
    this.filled += chunk.length
  }

  async write(chunk: Uint8Array): Promise<boolean> {
    let isPartSent = false
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + PART_SIZE - this.filled)
      await this.append(taken)
      at += taken.length
      if (this.filled < PART_SIZE) continue
      await this.sendPart()
      isPartSent = true
    }
    return isPartSent
  }

  private async sendPart(): Promise<void> {
    const { requests } = this.parts
    const key = this.upload.object
    const { local, filled } = this
    if (!local) return
    await local.finish()
    const uploadId = this.state.uploadId ?? (await beginUpload(requests, key, HASH_NOT_KNOWN))
    this.state = { ...this.state, uploadId }
    const number = this.state.tags.length + 1
    const part = await partOfFile(await local.file(), 0, filled)
    const tag = await putPart(requests, { key, uploadId, number }, part).catch(asLost)
    this.local = null
    this.filled = 0
    this.inTail = 0
    this.sent += filled
    this.state = { uploadId, tags: [...this.state.tags, tag], tail: null, earlier: this.state.tail }
    await local.discard()
  }

  async save(all: boolean) {
    const { length } = this.upload
    const isWhole = this.sent + this.filled === length
    // The last part may be short. An upload without parts is stored as a whole, so it needs no tail at its
    // end.
    if (all && isWhole && this.state.uploadId !== null) await this.sendPart()
    if (all && !isWhole && this.filled > this.inTail) await this.saveTail()
    return { received: this.sent + this.inTail, state: JSON.stringify(this.state) }
  }

  private async saveTail(): Promise<void> {
    const { objects, newId } = this.parts
    if (!this.local) return
    const file = await this.local.file()
    const tail = `${PARTIAL}${this.upload.id}/${newId()}`
    const sha256 = await sha256Of(Bun.file(file).stream())
    await objects.put(file, tail, { size: this.filled, sha256 })
    this.state = { ...this.state, tail, earlier: this.state.tail }
    this.inTail = this.filled
  }

  async finish(): Promise<Staging> {
    const { uploadId, tags } = this.state
    const { requests, objects, staging } = this.parts
    const { object: name, length } = this.upload
    if (uploadId === null) {
      const { local } = this
      if (!local) throw new PartialLostError(`${name} has no bytes`)
      this.local = null
      await local.finish()
      return local
    }
    const isThere = async () => (await objects.head(name))?.size === length
    await completeUpload(requests, { name, isThere }, uploadId, tags)
    return inStore(name, this.parts, staging)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.local?.discard()
    this.local = null
  }
}

/** Translates the error that the store no longer has the upload, because it was completed or aborted. */
function asLost(error: unknown): never {
  const isLost = error instanceof S3Error && error.status === ABSENT
  throw isLost ? new PartialLostError(error.message, { cause: error }) : error
}

/** Staged bytes that are already an object; a local file is made only when it is needed. */
function inStore(
  name: string,
  { objects, newId }: S3PartialsParts,
  { scratch, adopt }: Pick<Scratch, 'scratch' | 'adopt'>,
): Staging {
  let local: Promise<Staging> | null = null

  async function fetchLocal(): Promise<Staging> {
    const found = await objects.get(name)
    if (!found) throw new PartialLostError(`${name} is gone`)
    const file = join(scratch, newId())
    const writer = Bun.file(file).writer()
    await download(objects, name, found, async chunk => {
      writer.write(chunk)
      await writer.flush()
    })
    await writer.end()
    return adopt(file)
  }

  const discard = async () => (await local?.catch(() => null))?.discard()
  return {
    ...{ object: name, bytes: null, discard, [Symbol.asyncDispose]: discard },
    async file() {
      local ??= fetchLocal()
      return (await local).file()
    },
    write: () => Promise.reject(new Error('these bytes are complete')),
    finish: async () => {},
    moved() {},
  }
}
