/**
 * Uploads with a token are gathered in the database and told of together, after two quiet minutes. Since gathering is part
 * of the transaction that records the upload, a restart changes nothing: what is overdue then is sent at once.
 */
import {
  NOTICE_PATHS,
  NOTICE_SENDERS,
  QUIET_PERIOD,
  type UploadNotice,
  uploadText,
} from '../../contract/notify.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { Settings } from '../settings/settings.ts'
import { dropNotice, findNotice, putNotice } from './notify.store.ts'
import { isWanted, queueMessage } from './notify.ts'

const NOTHING: UploadNotice = { files: 0, bytes: 0, senders: [], paths: [] }

export interface TokenUpload {
  path: string
  size: number
  /** The name of the token. */
  sender: string
}

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
  quietPeriod?: number
}

export function createUploadNotices(parts: UploadNoticesParts): UploadNotices {
  const { database, settings, now, quietPeriod = QUIET_PERIOD } = parts

  return {
    async add(tx, { path, size, sender }) {
      if (!isWanted(settings, 'upload')) return
      const { files, bytes, senders, paths } = (await findNotice(tx)) ?? NOTHING
      const isNew = senders.length <= NOTICE_SENDERS && !senders.includes(sender)
      const notice = {
        files: files + 1,
        bytes: bytes + size,
        senders: isNew ? [...senders, sender] : senders,
        paths: paths.length < NOTICE_PATHS ? [...paths, path] : paths,
      }
      await putNotice(tx, notice, now() + quietPeriod)
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
