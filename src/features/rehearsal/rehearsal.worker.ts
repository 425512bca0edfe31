/**
 * The thread that `rehearsal.ts` starts for a rehearsal. On the main thread, filling a database would delay
 * requests.
 */
import { newId } from '../../base/ids.ts'
import { BackupTrouble, rehearsalTrouble, restoreTrouble } from '../../errors/errors.ts'
import { createFolderPlace } from '../backup/places/folder-place.ts'
import type { RehearsalMessage, RehearsalRequest } from './rehearsal.ts'
import { rehearse } from './rehearse.ts'

declare const self: Worker

const postToService = (message: RehearsalMessage) => self.postMessage(message)

let isStopped = false

self.onmessage = async ({ data }: MessageEvent<RehearsalRequest | 'stop'>) => {
  if (data === 'stop') {
    isStopped = true
    return
  }
  try {
    const { names, scratch } = data
    const place = await openPlace(data)
    postToService({ kind: 'result', result: await rehearse({ place, names, scratch, onProgress }) })
  } catch (error) {
    const { sentence, english, code } = troubleOf(error, data.scratch)
    const stack = error instanceof Error ? error.stack : undefined
    postToService({ kind: 'trouble', sentence, english, code, stack })
  }
}

function onProgress(doneBytes: number, totalBytes: number): void {
  if (isStopped) throw rehearsalTrouble.stopped()
  postToService({ kind: 'progress', doneBytes, totalBytes })
}

async function openPlace({ place, scratch }: RehearsalRequest) {
  if (typeof place === 'string') return createFolderPlace(place, newId)
  // The code for buckets is loaded only when it is needed, because few instances have a bucket.
  const { openBucketPlace } = await import('../backup/bucket/bucket-place.ts')
  return openBucketPlace({ target: place, scratch, newId, now: Date.now, createKey: false })
}

function troubleOf(error: unknown, scratch: string): BackupTrouble {
  if (error instanceof BackupTrouble)
    return error.code.startsWith('rehearsal-') ? error : rehearsalTrouble.refused(error)
  return error instanceof Error && 'code' in error
    ? rehearsalTrouble.refused(restoreTrouble.unusable(scratch, error))
    : rehearsalTrouble.unexpected(error)
}
