/** Names of archive entries: how they are read, how they are repaired, and which entries are skipped. */
import { isAscii, isUtf8 } from 'node:buffer'
import { type Entry, getFileNameLowLevel } from 'yauzl'
import { cleanPath } from '../../contract/clean-path.ts'
import { isValidPath } from '../../contract/paths.ts'

/**
 * Characters of a name that are kept: far above any valid path. A longer name would only take room in memory and in the
 * answer.
 */
const NAME_SHOWN = 300

/** General purpose bit 11 (APPNOTE 4.4.4): the name is UTF-8. Without it the name is in code page 437. */
const UTF8_FLAG = 0x800

/** The name of an entry. Backslashes stay in it, so that the check of the path can refuse them. */
export function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw
  if (raw.length > NAME_SHOWN * 2) return cut(raw.toString('latin1'))
  // macOS writes UTF-8 without saying so. A name in code page 437 with umlauts is no valid UTF-8.
  if (!(entry.generalPurposeBitFlag & UTF8_FLAG) && !isAscii(raw) && isUtf8(raw)) return cut(raw.toString())
  return cut(getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true))
}

/** Makes a copy: a part of a string would keep the whole string in memory. */
function cut(name: string): string {
  return name.length > NAME_SHOWN ? `${Buffer.from(name.slice(0, NAME_SHOWN)).toString()}…` : name
}

/** Names that lead elsewhere, and names that only a machine would make: repaired, they would hide what was meant. */
const UNREPAIRABLE = /(?:^|\/)\.{0,2}(?:\/|$)|^[a-z]:|[\\\p{Cc}]/iu

/** A similar name that may be stored. A name that cannot be repaired stays as it is, so that the path check refuses it. */
export function repairedName(name: string): string {
  if (isValidPath(name) || name.length > NAME_SHOWN || UNREPAIRABLE.test(name)) return name
  return cleanPath(name)
}

/** Whether an operating system put the entry into the archive by itself, so that nobody means to upload it. */
export function isPassedOver(name: string): boolean {
  const segments = name.split('/')
  const file = segments.at(-1)!.toLowerCase()
  return segments.includes('__MACOSX') || file === '.ds_store' || file === 'thumbs.db'
}
