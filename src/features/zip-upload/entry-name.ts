/** Names of archive entries: how they are read, and which entries are skipped. */
import { type Entry, getFileNameLowLevel } from 'yauzl'

/**
 * Characters of a name that are kept: far above any valid path. A longer name would only take room in memory and in the
 * answer.
 */
const NAME_SHOWN = 300

/** The name of an entry. Backslashes stay in it, so that the check of the path can refuse them. */
export function nameOf(entry: Entry): string {
  if (entry.fileNameRaw.length > NAME_SHOWN * 2) return cut(entry.fileNameRaw.toString('latin1'))
  return cut(getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true))
}

/** Makes a copy: a part of a string would keep the whole string in memory. */
function cut(name: string): string {
  return name.length > NAME_SHOWN ? `${Buffer.from(name.slice(0, NAME_SHOWN)).toString()}…` : name
}

/** Whether an operating system put the entry into the archive by itself, so that nobody means to upload it. */
export function isPassedOver(name: string): boolean {
  const segments = name.split('/')
  const file = segments.at(-1)!.toLowerCase()
  return segments.includes('__MACOSX') || file === '.ds_store' || file === 'thumbs.db'
}
