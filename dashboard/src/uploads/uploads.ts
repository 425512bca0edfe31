/** The interface of uploads for all pages: upload files, choose files, fetch from a URL. */
import { splitPath } from '../../../src/contract/paths/paths.ts'
import { PATHS_MAX } from '../../../src/contract/values/limits.ts'
import { MEGABYTE } from '../../../src/contract/values/units.ts'
import { get, post } from '../api/client.ts'
import { isReachable } from '../api/connection.ts'
import { ApiError } from '../api/error.ts'
import { newId } from '../state/new-id.ts'
import { createObservable } from '../state/observable.ts'
import { mayPutInto } from '../state/rights.ts'
import { noticeEnd, onRenewed } from '../state/session.ts'
import { type Candidate, fromChoice } from './plan/candidates.ts'
import { createIntake, type PendingIntake } from './plan/intake.ts'
import type { FindTaken } from './plan/plan.ts'
import { createQueue } from './queue/queue.ts'
import { NO_UPLOADS, type UploadsState } from './queue/queue-state.ts'
import { isReadable, sendJob } from './queue/send.ts'

export const uploadsState = createObservable<UploadsState>(NO_UPLOADS)

/** The question or error before anything is sent. */
export const pendingIntake = createObservable<PendingIntake | null>(null)

export const isPanelOpen = createObservable(false)

/** The target folder of a file from a URL; null while the dialog is closed. */
export const addressFolder = createObservable<string | null>(null)

const isRefusedSession = (error: unknown) => error instanceof ApiError && error.status === 401

/** Notices the end of the session also in requests outside of queries. */
async function noticeSessionEnd<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isRefusedSession(error)) noticeEnd()
    throw error
  }
}

export const queue = createQueue({
  send: sendJob,
  isReadable,
  isReachable,
  isSignedIn: () =>
    noticeSessionEnd(get('ich')).then(
      () => true,
      error => !isRefusedSession(error),
    ),
  now: () => performance.now(),
  later: (work, delay) => void setTimeout(work, delay),
  onChange: uploadsState.set,
})

onRenewed(queue.signedIn)

const findTaken: FindTaken = async paths => {
  const found = new Set<string>()
  for (let start = 0; start < paths.length; start += PATHS_MAX) {
    const pfade = paths.slice(start, start + PATHS_MAX)
    const { vorhanden } = await noticeSessionEnd(post('media/vorhanden', { body: { pfade } }))
    for (const path of vorhanden) found.add(path)
  }
  return found
}

/** Plans, asks if necessary, and sends. Folder: empty is the top. */
export const upload = createIntake({
  taken: findTaken,
  maxBytes: async () => (await noticeSessionEnd(get('ich'))).dienst.MAX_UPLOAD_MB * MEGABYTE,
  newId,
  onPending: pendingIntake.set,
  onJobs(jobs, omitted) {
    queue.add(jobs, omitted)
    isPanelOpen.set(true)
  },
})

export async function chooseFiles(folder: string): Promise<void> {
  upload(fromChoice(await choose({ multiple: true })), folder)
}

/** Replaces the file at this path by one of the same extension; its address stays. */
export async function chooseReplacement(path: string): Promise<void> {
  const [file] = await choose({ accept: splitPath(path).extension })
  if (!file) return
  const job = { file, name: file.name, target: path, overwrite: true, archive: false, action: newId() }
  queue.add([job])
  isPanelOpen.set(true)
}

/** Includes subfolders. */
export async function chooseFolder(folder: string): Promise<void> {
  upload(fromChoice(await choose({ webkitdirectory: true })), folder)
}

/** For a part of a page where dropped files are uploaded to this folder. */
export const uploadZone = (folder: string) =>
  mayPutInto(folder) ? { folder, onFiles: (files: Promise<Candidate[]>) => upload(files, folder) } : {}

export const askForAddress = (folder: string) => addressFolder.set(folder)

/** Opens the browser's own dialog. */
export function choose(
  options: Partial<Pick<HTMLInputElement, 'multiple' | 'webkitdirectory' | 'accept'>>,
): Promise<File[]> {
  return new Promise(resolve => {
    const input = Object.assign(document.createElement('input'), { type: 'file', ...options })
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
