/**
 * Uploads with a token are gathered in the database and told of together, after two quiet minutes. Since gathering is part
 * of the transaction that records the upload, a restart changes nothing: what is overdue then is sent at once.
 */
import { uploadText } from '../../contract/notify.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { Settings } from '../settings/settings.ts'
import { addToNotice, dropNotice, findNotice, type TokenUpload } from './notify.store.ts'
import { isWanted, queueMessage } from './notify.ts'

export interface UploadNotices {
  /** Part of the transaction that records the upload. Costs nothing while nobody wants to hear of it. */
  add(tx: Queries, upload: TokenUpload): Promise<void>
  /** Whether two quiet minutes are over. */
  isDue(): Promise<boolean>
  /** Makes one message of what is due. Uploads that come from now on begin anew. */
  close(): Promise<void>
}

export interface UploadNoticesParts {
  database: Database
  settings: Settings
  now: () => number
  /** Milliseconds without an upload. */
  quietPeriod: number
}

export function createUploadNotices(parts: UploadNoticesParts): UploadNotices {
  const { database, settings, now, quietPeriod } = parts

  return {
    async add(tx, upload) {
      if (isWanted(settings, 'upload')) await addToNotice(tx, upload, now() + quietPeriod)
    },

    async isDue() {
      const notice = await findNotice(database.read)
      return notice !== null && notice.dueAt <= now()
    },

    async close() {
      await database.transaction(async tx => {
        const notice = await findNotice(tx)
        // Another instance was faster, or another upload came in the last moment.
        if (!notice || notice.dueAt > now()) return
        await dropNotice(tx)
        if (isWanted(settings, 'upload'))
          await queueMessage(tx, settings, 'upload', uploadText(notice), now())
      })
    },
  }
}
