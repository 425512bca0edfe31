/** Names of entries: how they are read, which are passed over, where they lead. */
import { type Entry, getFileNameLowLevel } from 'yauzl'

/** Far above any valid path; a longer name would only take room in memory and in the answer. */
const NAME_SHOWN = 300

/** Backslashes stay, so that they can be refused. */
export function nameOf(entry: Entry): string {
  if (entry.fileNameRaw.length > NAME_SHOWN * 2) return cut(entry.fileNameRaw.toString('latin1'))
  return cut(getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true))
}

/** A copy: a part of a string would hold on to the whole of it. */
function cut(name: string): string {
  return name.length > NAME_SHOWN ? `${Buffer.from(name.slice(0, NAME_SHOWN)).toString()}…` : name
}

/** What systems put into archives by themselves, and nobody means to upload. */
export function isPassedOver(name: string): boolean {
  const segments = name.split('/')
  const file = segments.at(-1)!.toLowerCase()
  return segments.includes('__MACOSX') || file === '.ds_store' || file === 'thumbs.db'
}
