/**
 * The queue of all uploads, each with progress and outcome. It is independent of pages: uploads continue
 * while the user opens other pages.
 */
import type { OmittedFile, UploadJob } from '../plan/plan.ts'
import { canRetry, isActive } from './queue-state.ts'
import { createUploadLine, type LineParts } from './upload-line.ts'
import { createUploadList, type ListParts } from './upload-list.ts'

export interface QueueParts extends ListParts, LineParts {}

export function createQueue(parts: QueueParts) {
  const list = createUploadList(parts)
  const line = createUploadLine(parts, list)

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
        sent: 0,
        interruptions: 0,
        problem: null,
        refused: [],
      })
      line.enqueue(id)
    }
    line.sendWaiting()
  }

  return {
    /** Adds uploads. `omitted` files are only listed, with their reasons. */
    add(jobs: readonly UploadJob[], omitted: readonly OmittedFile[] = []): void {
      const run = list.joinRun()
      for (const job of jobs) line.enqueue(list.add(job, run))
      for (const file of omitted) list.addOmitted(file, run)
      line.sendWaiting()
    },
    cancel: line.cancel,
    cancelAll: () => line.cancel(list.select(isActive)),
    /** Sends no further file until `resume`; running transfers continue. */
    pause: () => line.setPaused(true),
    resume: () => line.setPaused(false),
    /** Ends a wait for the service early. */
    tryNow: line.tryNow,
    /** Called when the owner of the uploads has signed in again. */
    signedIn: line.signedIn,
    /** Sends uploads again; with `overwrite`, they replace existing files. */
    retry,
    retryAll: () => retry(list.select(canRetry)),
    /** Removes all uploads from the list that neither wait nor are being sent. */
    clear: () => list.remove(list.select(item => !isActive(item))),
  }
}
