/**
 * Collects the files that the user wants to upload, with their folders: from a drop, a file dialog or the
 * clipboard.
 */
import { isSystemFile } from '../../../../src/contract/paths/system-files.ts'
import { localDayOf, twoDigits } from '../../state/local-day.ts'

export interface UploadCandidate {
  file: File
  /** The path as the user sees it, with folders, relative to the target folder. */
  path: string
  /**
   * Whether the file must get exactly this path: it is never cleaned, and the user is asked before it is
   * lower-cased.
   */
  mustKeepPath?: boolean
}

export const withoutSystemFiles = (candidates: readonly UploadCandidate[]) =>
  candidates.filter(({ path }) => !isSystemFile(path))

/**
 * The files from a file dialog, without system files. If a folder was chosen, their paths begin with its
 * name.
 */
export const candidatesFromDialog = (files: Iterable<File>): UploadCandidate[] =>
  withoutSystemFiles([...files].map(file => ({ file, path: file.webkitRelativePath || file.name })))

/** Reads the files; each call reads them again. */
export type ReadCandidates = () => Promise<UploadCandidate[]>

/**
 * Returns a function that reads the files of a drop, including those in dropped folders, without system
 * files. Must be called while the event is handled, because the browser discards the list of entries
 * afterwards.
 */
export function candidatesFromDrop(transfer: DataTransfer): ReadCandidates {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map(item => item.webkitGetAsEntry() ?? item.getAsFile())
    .filter(entry => entry !== null)
  return () => readEntries(entries)
}

/**
 * The files of the clipboard. Browsers call a pasted picture `image.png` or the like, so such a name is
 * replaced by one with the current time.
 */
export function candidatesFromClipboard(transfer: DataTransfer, now: Date): UploadCandidate[] {
  return [...transfer.files].map(file => ({
    file,
    path: /^image\.\w+$/.test(file.name)
      ? file.name.replace(/^image/, `bild-${timestampOf(now)}`)
      : file.name,
  }))
}

function timestampOf(now: Date): string {
  return `${localDayOf(now)}-${[now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('')}`
}

async function readEntries(entries: readonly (FileSystemEntry | File)[]): Promise<UploadCandidate[]> {
  const candidates: UploadCandidate[] = []
  for (const entry of entries) {
    if (entry instanceof File) candidates.push({ file: entry, path: entry.name })
    else await readEntry(entry, candidates)
  }
  return withoutSystemFiles(candidates)
}

async function readEntry(entry: FileSystemEntry, candidates: UploadCandidate[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    candidates.push({ file, path: entry.fullPath.replace(/^\//, '') })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A call may return only some of the entries (in Chromium at most 100). An empty list is the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (batch.length === 0) return
    for (const child of batch) await readEntry(child, candidates)
  }
}
