/** The functions with which all pages upload files, and the state of the uploads. */
import { splitPath } from '../../../src/contract/paths/path-parts.ts'
import { PATHS_MAX } from '../../../src/contract/values/input-limits.ts'
import { MEGABYTE } from '../../../src/contract/values/units.ts'
import { get, post } from '../api/client.ts'
import { isServiceReachable } from '../api/connection.ts'
import { ApiError } from '../api/error.ts'
import { newId } from '../state/new-id.ts'
import { createObservable } from '../state/observable.ts'
import { mayAddFiles } from '../state/rights.ts'
import { onSessionRenewed } from '../state/session.ts'
import { candidatesFromDialog, type ReadCandidates } from './plan/candidates.ts'
import { createIntake, type PendingIntake } from './plan/intake.ts'
import type { FindTakenPaths } from './plan/plan.ts'
import { createUploadQueue } from './queue/queue.ts'
import { NO_UPLOADS, type UploadsState } from './queue/queue-state.ts'
import { isReadable, sendJob } from './queue/send.ts'

export const uploadsState = createObservable<UploadsState>(NO_UPLOADS)

/**
 * The upload that is being prepared, as the upload ring and the dialogs show it: progress, a question or an
 * error; null if there is none.
 */
export const pendingIntake = createObservable<PendingIntake | null>(null)

export const isPanelOpen = createObservable(false)

/** The target folder in the dialog for a file from a URL; null while the dialog is closed. */
export const addressDialogFolder = createObservable<string | null>(null)

const isSessionRefusal = (error: unknown) => error instanceof ApiError && error.status === 401

export const uploadQueue = createUploadQueue({
  send: sendJob,
  isReadable,
  isReachable: isServiceReachable,
  isSignedIn: () =>
    get('ich').then(
      () => true,
      error => !isSessionRefusal(error),
    ),
  now: () => performance.now(),
  schedule: (callback, delayMs) => void setTimeout(callback, delayMs),
  onChange: uploadsState.set,
})

onSessionRenewed(uploadQueue.resumeAfterSignIn)

const findTakenPaths: FindTakenPaths = async paths => {
  const takenPaths = new Set<string>()
  for (let start = 0; start < paths.length; start += PATHS_MAX) {
    const batch = paths.slice(start, start + PATHS_MAX)
    const { vorhanden } = await post('media/vorhanden', { body: { pfade: batch } })
    for (const path of vorhanden) takenPaths.add(path)
  }
  return takenPaths
}

/** Plans an upload into a folder (empty: the top folder), asks the user if necessary, and sends the files. */
export const upload = createIntake({
  findTakenPaths,
  getMaxBytes: async () => (await get('ich')).dienst.MAX_UPLOAD_MB * MEGABYTE,
  newId,
  onPending: pendingIntake.set,
  onJobs(jobs, omittedFiles) {
    uploadQueue.add(jobs, omittedFiles)
    isPanelOpen.set(true)
  },
})

export async function chooseFiles(folder: string): Promise<void> {
  upload(candidatesFromDialog(await openFileDialog({ multiple: true })), folder)
}

/**
 * Lets the user choose a file that replaces the one at this path, whose address does not change. The dialog
 * offers files with the same extension.
 */
export async function chooseReplacement(path: string): Promise<void> {
  const [file] = await openFileDialog({ accept: splitPath(path).extension })
  if (!file) return
  const job = { file, name: file.name, target: path, overwrite: true, isZipArchive: false, action: newId() }
  uploadQueue.add([job])
  isPanelOpen.set(true)
}

/** Lets the user choose a folder, whose files are uploaded, including those in subfolders. */
export async function chooseFolder(folder: string): Promise<void> {
  upload(candidatesFromDialog(await openFileDialog({ webkitdirectory: true })), folder)
}

/**
 * The properties of a drop zone that make it upload files to this folder; none if the account may not upload
 * there.
 */
export const uploadZone = (folder: string) =>
  mayAddFiles(folder) ? { folder, onFiles: (readFiles: ReadCandidates) => upload(readFiles, folder) } : {}

export const openAddressDialog = (folder: string) => addressDialogFolder.set(folder)

/** Opens the file dialog of the browser; resolves to an empty list if it is cancelled. */
export function openFileDialog(
  options: Partial<Pick<HTMLInputElement, 'multiple' | 'webkitdirectory' | 'accept'>>,
): Promise<File[]> {
  return new Promise(resolve => {
    const input = Object.assign(document.createElement('input'), { type: 'file', ...options })
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
