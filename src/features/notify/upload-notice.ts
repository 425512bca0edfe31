/**
 * Uploads with a token are collected in the database. After two minutes without a further upload, one message
 * reports them: how many, how large, from whom, and the first five paths (`MAX_NOTICE_PATHS`). Collecting is
 * part of the transaction that records the upload, so a restart loses nothing: an overdue notice is sent at
 * startup. Uploads of accounts and restoring from the trash are not collected.
 */
import { uploadMessage } from '../../contract/service/upload-message.ts'
import type { Queries } from '../../database/database.ts'
import { CLOCK_MARGIN, hasDeadlinePassed } from '../../database/deadline.ts'
import { type Actor, tokenOf } from '../../http/access/actor.ts'
import type { FeatureParts } from '../feature.ts'
import { addToUploadNotice, deleteUploadNotice, findUploadNotice } from './notify.store.ts'
import { isOccasionEnabled, queueMessage } from './notify.ts'

export type UploadNotices = ReturnType<typeof createUploadNotices>

interface UploadNoticesParts extends Pick<FeatureParts, 'database' | 'now' | 'settings'> {
  /** Milliseconds without another upload before the notice about the collected uploads is due. */
  quietPeriod: number
}

const isDue = ({ dueAt }: { dueAt: number }, now: number, quietPeriod: number) =>
  hasDeadlinePassed(dueAt, now, quietPeriod + CLOCK_MARGIN)

export function createUploadNotices(parts: UploadNoticesParts) {
  const { database, settings, now, quietPeriod } = parts

  return {
    /**
     * Called in the transaction that records an upload. Collects it if it was made with a token, unless
     * messages about uploads are switched off.
     */
    async add(tx: Queries, { path, size, actor }: { path: string; size: number; actor: Actor }) {
      const token = tokenOf(actor)
      if (token && isOccasionEnabled(settings, 'upload'))
        await addToUploadNotice(tx, { path, size, sender: token.name }, now() + quietPeriod)
    },

    /** Whether there are collected uploads and the quiet period is over. */
    async isDue() {
      const notice = await findUploadNotice(database.read)
      return notice !== null && isDue(notice, now(), quietPeriod)
    },

    /**
     * If the notice about the collected uploads is due, deletes it and queues one message about them. No
     * message is queued while messages about uploads are switched off. Later uploads begin a new notice.
     */
    async close() {
      await database.transaction(async tx => {
        const notice = await findUploadNotice(tx)
        // Another instance may have closed the notice meanwhile, or another upload postponed it.
        if (!notice || !isDue(notice, now(), quietPeriod)) return
        await deleteUploadNotice(tx)
        if (isOccasionEnabled(settings, 'upload'))
          await queueMessage(tx, settings, 'upload', uploadMessage(notice), now())
      })
    },
  }
}
