/**
 * Object names. An object is immutable and uniquely named: `files/<folder>/<stem>~<id><ext>`. Its WebP
 * variant has the same name with `~w.webp` instead of the extension; its preview is under `thumbs/` with
 * `.webp`. In the trash the name is `trash/<folder>/<running number>~<stem>~<id><ext>`, with the preview
 * beside it (`~t.webp`). So even without the database, the names in the trash show where each file was, and
 * which of two files with the same path was deleted first.
 *
 * A picture in one of the configured sizes is `thumbs/<folder>/<stem>~<id>~b-<mark>` with the extension of
 * its format. It keeps this name when the file is renamed. A mark is a few random characters that make a name
 * unique.
 *
 * Every attempt to make the derived files (`derived-parts.ts`) gives them a new mark, after `~w-` or `~t-`.
 * Derived files of earlier versions of Fundus have no mark.
 *
 * `~` and `=` occur in no valid path, so a name is never ambiguous and its path can be read back. Names are
 * the same on every platform, so that a data folder can be moved from Linux to Windows: no segment is a
 * Windows device name, ends in a dot, or differs only by case from another one in the same folder.
 *
 * A name is used only once. A relocated object gets a new mark after its id, because its old name may still
 * be on the list of objects to be removed (discard list): a file that is moved away and back must not get a
 * name whose object is about to be removed.
 */
import { splitPath } from '../contract/paths/path-parts.ts'
import { isValidPath } from '../contract/paths/path-rules.ts'
import { trimTrailing } from '../contract/values/text.ts'
import {
  DERIVATIONS,
  DERIVED_PARTS,
  type DerivedColumns,
  type DerivedPart,
  markColumn,
  sizeColumn,
} from './derived-parts.ts'

const FILES_ROOT = 'files/'
const THUMBS_ROOT = 'thumbs/'
const TRASH_ROOT = 'trash/'
const WEBP_EXTENSION = '.webp'

/** Number of characters of the mark in an object name. */
export const MARK_LENGTH = 6

/**
 * Names of the storage mark in the data folder and in a bucket: a short text that shows to which state of
 * which database the objects belong (`Storage.readMark`). It has nothing to do with the marks in object
 * names. No file's object has such a name.
 */
export const DISK_STORAGE_MARK = 'files/.fundus-stand'
export const BUCKET_STORAGE_MARK = 'fundus-stand'

/** Names of the instance's key (`Storage.readKey`) in the data folder and in a bucket. */
export const DISK_INSTANCE_KEY = 'fundus.key'
export const BUCKET_INSTANCE_KEY = 'fundus-schluessel'

/**
 * The folders of objects. Staged bytes (uploads that are not stored yet) are not objects and are kept
 * elsewhere.
 */
export const OBJECT_ROOTS = [FILES_ROOT, THUMBS_ROOT, TRASH_ROOT] as const

// Microsoft, "Naming Files, Paths, and Namespaces": these names are reserved, with or without an extension.
const DEVICE_NAME_PATTERN = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i
export const isDeviceName = (segment: string) => DEVICE_NAME_PATTERN.test(segment)

/**
 * Encodes one folder of a path for an object name: with a leading `=` if it is a device name of Windows, and
 * followed by `=` and a case mask (`caseMask`, may be empty) if it has upper-case letters or ends in a dot.
 */
export function encodeSegment(segment: string): string {
  const devicePrefix = isDeviceName(segment) ? '=' : ''
  const mask = caseMask(segment)
  return `${devicePrefix}${segment}${mask !== '' || segment.endsWith('.') ? `=${mask}` : ''}`
}

export function decodeSegment(encodedSegment: string): string {
  const segmentWithMask = encodedSegment.startsWith('=') ? encodedSegment.slice(1) : encodedSegment
  const maskStart = segmentWithMask.indexOf('=')
  return maskStart < 0 ? segmentWithMask : segmentWithMask.slice(0, maskStart)
}

/**
 * Encodes which letters are upper case: one hexadecimal digit for each four characters, without zeros at the
 * end, so empty if no letter is upper case.
 */
function caseMask(segment: string): string {
  let mask = ''
  for (let position = 0; position < segment.length; position += 4) {
    let digit = 0
    for (let bit = 0; bit < 4; bit++) {
      const letter = segment[position + bit]
      if (letter !== undefined && letter >= 'A' && letter <= 'Z') digit |= 1 << bit
    }
    mask += digit.toString(16)
  }
  return trimTrailing(mask, '0')
}

/** The name of an original. `mark` distinguishes the name of a relocated object from its earlier names. */
export function objectName(path: string, id: string, mark = ''): string {
  const { folderPrefix, fileName } = nameParts(path, id, mark)
  return `${FILES_ROOT}${folderPrefix}${fileName}`
}

/** The name of an original in the trash. `nr` is its running number there. */
export function trashObjectName(nr: number, path: string, id: string, mark: string): string {
  const { folderPrefix, fileName } = nameParts(path, id, mark)
  return `${TRASH_ROOT}${folderPrefix}${nr}~${fileName}`
}

export const isInTrash = (object: string) => object.startsWith(TRASH_ROOT)

function nameParts(path: string, id: string, mark: string): { folderPrefix: string; fileName: string } {
  const { folder, stem, extension } = splitPath(path)
  const folderPrefix = folder === '' ? '' : `${folder.split('/').map(encodeSegment).join('/')}/`
  // The stem needs only the prefix of a device name and no case mask, because the id distinguishes names that
  // differ only by case.
  const devicePrefix = isDeviceName(stem) ? '=' : ''
  return {
    folderPrefix,
    fileName: `${devicePrefix}${stem}~${id}${mark === '' ? '' : `-${mark}`}${extension}`,
  }
}

/** The name without its extension, which begins at the first dot after the id; a stem may contain dots. */
function stripExtension(object: string): string {
  const dotIndex = object.indexOf('.', object.lastIndexOf('~'))
  return dotIndex < 0 ? object : object.slice(0, dotIndex)
}

export function derivedObjectName(part: DerivedPart, object: string, mark: string | null = null): string {
  const { letter, folder } = DERIVATIONS[part]
  const [stem, markSuffix] = [stripExtension(object), mark === null ? '' : `-${mark}`]
  if (folder === 'files' || isInTrash(object)) return `${stem}~${letter}${markSuffix}${WEBP_EXTENSION}`
  return `${THUMBS_ROOT}${stem.slice(FILES_ROOT.length)}${markSuffix && `~${letter}${markSuffix}`}${WEBP_EXTENSION}`
}

/** The letter after `~` in the names of pictures in one of the configured sizes. */
const SIZED_PICTURE_LETTER = 'b'

/**
 * The name of a picture in one of the configured sizes. `extension`: the extension of its format, with the
 * dot.
 */
export function sizedPictureName(path: string, id: string, mark: string, extension: string): string {
  const { folderPrefix, fileName } = nameParts(path, id, '')
  return `${THUMBS_ROOT}${folderPrefix}${stripExtension(fileName)}~${SIZED_PICTURE_LETTER}-${mark}${extension}`
}

/** The name and the size of a derived file; null if the row has none. */
export function derivedObject(part: DerivedPart, row: DerivedColumns & { object: string }) {
  const size = row[sizeColumn(part)]
  return size === null ? null : { name: derivedObjectName(part, row.object, row[markColumn(part)]), size }
}

export interface ParsedObjectName {
  /** `size` means a picture in one of the configured sizes. */
  role: 'original' | DerivedPart | 'size'
  id: string
  /** The file's path when the object got this name. Only for an original does it include the extension. */
  path: string
  /** The running number of a file in the trash; absent for a file in the library. */
  trashNr?: number
  /**
   * The mark of a derived file or of a picture in a configured size; null if the name has none, as in earlier
   * versions of Fundus. Absent for an original, even if its name has a mark.
   */
  mark?: string | null
}

// The id must have its full length: a file that a person has put into the folder, such as `photo~2.jpg`, is
// not an object.
const OBJECT_NAME_PATTERN =
  /^(files|thumbs|trash)\/((?:[^/]+\/)*)(?:([1-9]\d*)~)?([^/~]+)~([0-9a-z]{16})(?:-[0-9a-z]{6})?(?:~([a-z])(?:-([0-9a-z]{6}))?)?(\.[A-Za-z0-9_-]+)?$/

/** Parses the name of an object; null for any other name. */
export function parseObjectName(name: string): ParsedObjectName | null {
  const match = OBJECT_NAME_PATTERN.exec(name)
  if (!match) return null
  const [, root, folders = '', numberText, stem = '', id = '', letter, mark = null, extension = ''] = match
  const part = DERIVED_PARTS.find(candidate => DERIVATIONS[candidate].letter === letter)
  const isSizedPicture = letter === SIZED_PICTURE_LETTER && root === 'thumbs' && mark !== null
  if (letter !== undefined && !part && !isSizedPicture) return null
  // Only names in the trash have a running number, and only there is a preview in the folder of its file.
  if ((root === 'trash') !== (numberText !== undefined)) return null
  if (part && root !== 'trash' && root !== DERIVATIONS[part].folder) return null
  if (root === 'thumbs' && part && mark === null) return null
  if (numberText !== undefined && !Number.isSafeInteger(Number(numberText))) return null
  const role = isSizedPicture ? 'size' : (part ?? (root === 'thumbs' ? 'preview' : 'original'))
  const segments = folders.split('/').slice(0, -1)
  const folderNames = segments.map(decodeSegment)
  const path = [...folderNames, decodeSegment(stem) + (role === 'original' ? extension : '')].join('/')
  // A name such as `a b~<id>.txt` matches, but its path is not valid. Nor can an object be in a folder that
  // `encodeSegment` would spell differently.
  if (!isValidPath(path) || segments.some((segment, index) => encodeSegment(folderNames[index]!) !== segment))
    return null
  return {
    role,
    id,
    path,
    ...(numberText !== undefined && { trashNr: Number(numberText) }),
    ...(role !== 'original' && { mark }),
  }
}

const MARKED_NAME_PATTERN = /~[0-9a-z]{16}-[0-9a-z]{6}(?:\.[A-Za-z0-9_-]+)?$/

/**
 * Whether this object name of an original has a mark. A name gets a mark when the file is renamed, moved,
 * trashed or restored, so it is newer than a name of the same file without a mark.
 */
export const isRelocated = (originalName: string) => MARKED_NAME_PATTERN.test(originalName)
