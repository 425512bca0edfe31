/**
 * Everything that is being uploaded, each file with a progress and an outcome of its own. Knows nothing of pages: it
 * goes on while they change.
 */
import type { Job } from '../plan/plan.ts'
import { canRetry, isActive } from './queue-state.ts'
import { createUploadLine, type LineParts } from './upload-line.ts'
import { createUploadList, type ListParts } from './upload-list.ts'

export interface QueueParts extends ListParts, LineParts {}

export function createQueue(parts: QueueParts) {
  const list = createUploadList(parts)
  const line = createUploadLine(parts, list)

  function retry(ids: readonly number[], overwrite = false): void {
    for (const id of ids) {
      const item = list.get(id)
      if (!item || !canRetry(item)) continue
      const job = overwrite ? { ...item.job, overwrite } : item.job
      list.change(id, { job, stage: 'waiting', sent: 0, broken: 0, problem: null, refused: [] })
      line.join(id)
    }
    line.pump()
  }

  return {
    add(jobs: readonly Job[]): void {
      for (const job of jobs) line.join(list.add(job))
      line.pump()
    },
    cancel: line.cancel,
    cancelAll: () => line.cancel(list.select(isActive)),
    /** Sends no further file until `resume`; transfers that have begun go on. */
    pause: () => line.setPaused(true),
    resume: () => line.setPaused(false),
    /** Ends a wait for the service early. */
    tryNow: line.tryNow,
    /** The person whose uploads these are has signed in again. */
    signedIn: line.signedIn,
    /** `overwrite`: this time over what is there. */
    retry,
    retryAll: () => retry(list.select(canRetry)),
    /** Takes off the list whatever is over. */
    clear: () => list.remove(list.select(item => !isActive(item))),
  }
}
