/**
 * Object names. An object is immutable and uniquely named: `files/<folder>/<stem>~<id><ext>`, its WebP variant
 * beside it with `~w.webp` in place of the extension, its preview under `thumbs/` with `.webp`. In the trash it is
 * `trash/<folder>/<running number>~<stem>~<id><ext>`, with its preview beside it (`~t.webp`): a trash store that is
 * read without the database still tells where each file was, and which of two from one path went first.
 *
 * `~` and `=` occur in no valid path, so a name is never ambiguous and its path can be read back from it. Names
 * are the same on every platform, so that a data folder can be carried from Linux to Windows: no segment is a
 * device name there, ends in a dot, or differs from another one only by case.
 *
 * A name is used once. Relocated objects get a fresh mark behind their id, because the old name may still stand
 * on the discard list: moving a file away and back must not bring a doomed name to life again.
 */
import { isValidPath, splitPath } from '../contract/paths.ts'
import { trimEndOf } from '../contract/text.ts'

const FILES = 'files/'
const PREVIEWS = 'thumbs/'
const TRASH = 'trash/'
const VARIANT_END = '~w.webp'
const PREVIEW_END = '.webp'
const TRASHED_PREVIEW_END = '~t.webp'

/** Where objects live. Staging has a place of its own and is no object. */
export const OBJECT_ROOTS = [FILES, PREVIEWS, TRASH] as const

// Microsoft, "Naming Files, Paths, and Namespaces": reserved alone and also before a dot.
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i
export const isDeviceName = (segment: string) => WINDOWS_DEVICE.test(segment)

/** One folder as it stands on disk. Keeps its spelling; `=` marks what Windows could not tell apart. */
export function encodeSegment(segment: string): string {
  const start = isDeviceName(segment) ? '=' : ''
  const mask = caseMask(segment)
  return `${start}${segment}${mask !== '' || segment.endsWith('.') ? `=${mask}` : ''}`
}

export function decodeSegment(encoded: string): string {
  const body = encoded.startsWith('=') ? encoded.slice(1) : encoded
  const end = body.indexOf('=')
  return end < 0 ? body : body.slice(0, end)
}

/** Which letters are upper case, as hexadecimal digits of four characters each; empty when none is. */
function caseMask(segment: string): string {
  let mask = ''
  for (let at = 0; at < segment.length; at += 4) {
    let digit = 0
    for (let bit = 0; bit < 4; bit++) {
      const letter = segment[at + bit]
      if (letter !== undefined && letter >= 'A' && letter <= 'Z') digit |= 1 << bit
    }
    mask += digit.toString(16)
  }
  return trimEndOf(mask, '0')
}

/** The name of a new object; `mark` tells a relocated one from its earlier names. */
export function objectName(path: string, id: string, mark = ''): string {
  const { folders, file } = named(path, id, mark)
  return `${FILES}${folders}${file}`
}

/** The name of a file in the trash; `nr` is its running number there. */
export function trashName(nr: number, path: string, id: string, mark: string): string {
  const { folders, file } = named(path, id, mark)
  return `${TRASH}${folders}${nr}~${file}`
}

export const isInTrash = (object: string) => object.startsWith(TRASH)

function named(path: string, id: string, mark: string): { folders: string; file: string } {
  const { folder, stem, extension } = splitPath(path)
  const folders = folder === '' ? '' : `${folder.split('/').map(encodeSegment).join('/')}/`
  // Only a device name matters here: the id already keeps names apart that differ by case alone.
  const start = isDeviceName(stem) ? '=' : ''
  return { folders, file: `${start}${stem}~${id}${mark === '' ? '' : `-${mark}`}${extension}` }
}

/** A stem may hold dots, an extension holds none: it begins at the first dot behind the id. */
function withoutExtension(object: string): string {
  const dot = object.indexOf('.', object.lastIndexOf('~'))
  return dot < 0 ? object : object.slice(0, dot)
}

export function variantName(object: string): string {
  return withoutExtension(object) + VARIANT_END
}

export function previewName(object: string): string {
  if (isInTrash(object)) return withoutExtension(object) + TRASHED_PREVIEW_END
  return PREVIEWS + withoutExtension(object).slice(FILES.length) + PREVIEW_END
}

export interface ParsedName {
  role: 'original' | 'variant' | 'preview'
  id: string
  /** The path the file had when the object got this name. Of an original only; the others lack the extension. */
  path: string
  /** The running number of a file in the trash. */
  trashNr?: number
}

// The id in its full length: a file that somebody put here, such as `photo~2.jpg`, is no object of ours.
const SHAPE =
  /^(files|thumbs|trash)\/((?:[^/]+\/)*)(?:([1-9]\d*)~)?([^/~]+)~([0-9a-z]{16})(?:-[0-9a-z]{6})?(~[wt])?(\.[A-Za-z0-9_-]+)?$/

/** Reads a name back; null for what is no object of ours. */
export function parseName(name: string): ParsedName | null {
  const match = SHAPE.exec(name)
  if (!match) return null
  const [, root, folders = '', number, stem = '', id = '', derived, extension = ''] = match
  // A running number stands in the trash and nowhere else, and so does a preview beside its file.
  if ((root === 'trash') !== (number !== undefined) || (derived === '~t' && root !== 'trash')) return null
  if (number !== undefined && !Number.isSafeInteger(Number(number))) return null
  const role = root === 'thumbs' || derived === '~t' ? 'preview' : derived === '~w' ? 'variant' : 'original'
  const segments = folders.split('/').slice(0, -1)
  const folder = segments.map(decodeSegment)
  const path = [...folder, decodeSegment(stem) + (role === 'original' ? extension : '')].join('/')
  // `a b~<id>.txt` has our shape, but no upload can have made it; nor a folder that is not spelt as we spell it.
  if (!isValidPath(path) || segments.some((segment, at) => encodeSegment(folder[at]!) !== segment))
    return null
  return { role, id, path, ...(number !== undefined && { trashNr: Number(number) }) }
}

const MARKED = /~[0-9a-z]{16}-[0-9a-z]{6}(?:\.[A-Za-z0-9_-]+)?$/

/** Whether an original has followed its path at least once: of two names of one file, the marked one is the later. */
export const isRelocated = (original: string) => MARKED.test(original)
