/** `GET, HEAD /f/<path>` and `/t/<path>.webp`. Answered before any router: one look-up, then a 304 or bytes. */
import { splitPath } from '../../contract/paths.ts'
import type { Database, ServedFile } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import { acceptsWebp } from '../../http/conditions.ts'
import { previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Retrievals } from '../retrievals/retrievals.ts'
import { answer, type Choice, planAnswer } from './answer.ts'
import { createObjectReader } from './object-reader.ts'

const WEBP = 'image/webp'
const WEBP_END = '.webp'

/** How long a reader waits for derived files that are being made, and how often it looks. */
const DERIVED_WAIT = 3_000
const DERIVED_POLL = 50

export interface ServeParts {
  database: Database
  storage: Storage
  retrievals: Retrievals
  /** Says that a reader waits for what derives from this file. */
  hurry: (nr: number) => void
}

export interface Serve {
  file(request: Request, path: string): Promise<Response>
  preview(request: Request, path: string): Promise<Response>
}

/** Finds the object for a request, not again a derived one that was `lost`; null when there is none. */
type Choose = (
  path: string,
  request: Request,
  lost: string | undefined,
) => Promise<{ nr: number; choice: Choice } | null>

export function createServe({ database, storage, retrievals, hurry }: ServeParts): Serve {
  const read = createObjectReader(storage)

  /** The row, looked at again for a while as long as its derived files are being made. */
  async function derivedFile(path: string, found: ServedFile): Promise<ServedFile | null> {
    hurry(found.nr)
    let file: ServedFile | null = found
    for (let waited = 0; file?.derived === 'pending' && waited < DERIVED_WAIT; waited += DERIVED_POLL) {
      await Bun.sleep(DERIVED_POLL)
      file = await database.servedFile(path)
    }
    return file
  }

  const chooseFile: Choose = async (path, request, lost) => {
    let file = await database.servedFile(path)
    const webp = acceptsWebp(request.headers.get('Accept'))
    if (webp && file?.derived === 'pending' && mayHaveVariant(file)) file = await derivedFile(path, file)
    if (!file) return null
    const variant = webp && file.variant_size !== null ? variantOf(file, path) : null
    return { nr: file.nr, choice: variant && variant.object !== lost ? variant : originalOf(file, path) }
  }

  const choosePreview: Choose = async (path, _request, lost) => {
    let file = await database.servedFile(path)
    if (file?.derived === 'pending') file = await derivedFile(path, file)
    if (!file || file.preview_size === null) return null
    const choice = previewOf(file, path)
    return choice.object === lost ? null : { nr: file.nr, choice }
  }

  /** Null when there is nothing to answer with. Chooses once more when the object was moved away meanwhile. */
  async function respond(request: Request, path: string, choose: Choose): Promise<Response | null> {
    for (let lost: string | undefined; ; ) {
      const chosen = await choose(path, request, lost)
      if (!chosen) return null
      const { nr, choice } = chosen
      const plan = planAnswer(request, choice)
      const bodiless = plan.status === 304 || request.method === 'HEAD'
      const body = bodiless ? null : await read(choice.object, choice.size, plan.range)
      if (bodiless || body) {
        const counts = choose === chooseFile && request.method === 'GET' && (plan.range?.start ?? 0) === 0
        if (counts) retrievals.count(nr)
        return answer(request, plan, choice, body)
      }
      if (choice.object === lost) throw new Error(`the object ${lost} is missing`)
      lost = choice.object
    }
  }

  return {
    async file(request, path) {
      const response = await respond(request, path, chooseFile)
      if (!response) throw failure.fileAbsent()
      return response
    },

    async preview(request, path) {
      const original = path.endsWith(WEBP_END) ? path.slice(0, -WEBP_END.length) : ''
      const response = await respond(request, original, choosePreview)
      if (!response) throw failure.previewAbsent()
      return response
    },
  }
}

/** The variant is made from the bytes, but only for files that pass as one of these types. */
const mayHaveVariant = (file: ServedFile) => file.mime === 'image/png' || file.mime === 'image/jpeg'

/** By content, so that storing the same bytes again keeps every cache valid. */
const etagOf = (file: ServedFile, mark = '') => `"${file.sha256.slice(0, 32)}${mark}"`

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

function originalOf(file: ServedFile, path: string): Choice {
  return { object: file.object, size: file.size, mime: file.mime, etag: etagOf(file), name: nameOf(path) }
}

function variantOf(file: ServedFile, path: string): Choice {
  const name = splitPath(path).stem + WEBP_END
  return {
    object: variantName(file.object),
    size: file.variant_size!,
    mime: WEBP,
    etag: etagOf(file, '-w'),
    name,
  }
}

function previewOf(file: ServedFile, path: string): Choice {
  const name = nameOf(path) + WEBP_END
  return {
    object: previewName(file.object),
    size: file.preview_size!,
    mime: WEBP,
    etag: etagOf(file, '-t'),
    name,
  }
}
