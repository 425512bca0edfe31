/**
 * The queue of all uploads, each with progress and outcome. It is independent of pages: uploads continue
 * while the user opens other pages.
 */
import type { OmittedFile, UploadJob } from '../plan/plan.ts'
import { canRetry, isActive } from './queue-state.ts'
import { createUploadList, type ListParts } from './upload-list.ts'
import { createUploadSender, type SenderParts } from './upload-sender.ts'

export interface QueueParts extends ListParts, SenderParts {}

export function createUploadQueue(parts: QueueParts) {
  const list = createUploadList(parts)
  const sender = createUploadSender(parts, list)

  function retry(ids: readonly number[], overwrite = false): void {
    const run = list.joinRun()
    for (const id of ids) {
      const item = list.get(id)
      if (!item || !canRetry(item)) continue
      const job = overwrite ? { ...item.job, overwrite } : item.job
      list.change(id, {
        job,
        run,
        stage: 'waiting',
        sentBytes: 0,
        interruptions: 0,
        problem: null,
        refusedEntries: [],
      })
      sender.enqueue(id)
    }
    sender.sendWaiting()
  }

  return {
    /** Adds uploads. `omittedFiles` are only listed, with their reasons. */
    add(jobs: readonly UploadJob[], omittedFiles: readonly OmittedFile[] = []): void {
      const run = list.joinRun()
      for (const job of jobs) sender.enqueue(list.add(job, run))
      for (const file of omittedFiles) list.addOmitted(file, run)
      sender.sendWaiting()
    },
    cancel: sender.cancel,
    cancelAll: () => sender.cancel(list.select(isActive)),
    /** Sends no further file until `resume`; running transfers continue. */
    pause: () => sender.setPaused(true),
    resume: () => sender.setPaused(false),
    /** Ends a wait for the service early; does nothing if the session has ended. */
    tryNow: sender.tryNow,
    /** Called when the owner of the uploads has signed in again. */
    resumeAfterSignIn: sender.resumeAfterSignIn,
    /**
     * Sends the uploads with these ids again, except those that are active, were stored completely or were
     * omitted. With `overwrite`, they replace existing files.
     */
    retry,
    retryAll: () => retry(list.select(canRetry)),
    /** Removes from the list all uploads that neither wait nor are being sent. */
    clear: () => list.remove(list.select(item => !isActive(item))),
  }
}
