/** For tests: the notify feature on a real database, with a clock and a chat that the test controls. */

import { newId } from '../../base/ids.ts'
import { UPLOAD_QUIET_PERIOD } from '../../contract/service/upload-message.ts'
import type { Database } from '../../database/database.ts'
import { openSqlite } from '../../database/sqlite/sqlite.ts'
import { createLeases } from '../../jobs/leases.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import { openInstance } from '../../testing/instance.ts'
import { tokenWith } from '../../testing/token.ts'
import { createSettings } from '../settings/settings.ts'
import { createDelivery } from './delivery.ts'
import { createDiskWatch } from './disk-watch.ts'
import { createNotifier } from './notify.ts'
import { createUploadNotices } from './upload-notice.ts'
import { createWebhook } from './webhook.ts'

export const WEBHOOK_ADDRESS = 'https://chat.example.org/api/webhooks/12345/secret-part-of-it'

export async function openNotifyInstance() {
  const { file, log, lines, ...base } = await openInstance()
  const openDatabases: Database[] = []
  const clock = { now: Date.UTC(2026, 0, 1) }
  const now = () => clock.now
  const environment: Record<string, string> = { WEBHOOK_URL: WEBHOOK_ADDRESS }
  const sentTexts: string[] = []
  /** `answer` is called for every message. By default it accepts the message; a test may replace it. */
  const chat = { answer: async (): Promise<Response> => new Response(null, { status: 204 }) }

  /**
   * Opens the database and returns the functions that a process of the service would have. A second call
   * simulates another instance, or a restart.
   */
  async function startProcess() {
    const database = await openSqlite({ file })
    openDatabases.push(database)
    const settings = {
      current: () => createSettings({ environment, port: 1, database }).current(),
    }
    const coordination = createLeases({ database, newId, now, log })
    const webhook = createWebhook({
      now,
      async send(_, { body = '' }) {
        sentTexts.push((JSON.parse(body) as { content: string }).content)
        return chat.answer()
      },
    })
    const notices = createUploadNotices({ database, settings, now, quietPeriod: UPLOAD_QUIET_PERIOD })
    const disk: { space: DiskSpace | null } = { space: null }
    return {
      database,
      disk,
      notify: createNotifier({ database, settings, now, log }),
      upload: (path: string, size = 1, sender = 'Spielserver') => {
        const actor = { token: tokenWith({ name: sender }) }
        return database.transaction(tx => notices.add(tx, { path, size, actor }))
      },
      uploadByAccount: (path: string) =>
        database.transaction(tx => notices.add(tx, { path, size: 1, actor: { account: 'admin' } })),
      deliver: createDelivery({ database, settings, coordination, notices, webhook, log, now }),
      watchDisk: createDiskWatch({ database, settings, coordination, now, space: async () => disk.space }),
    }
  }

  return {
    clock,
    environment,
    sentTexts,
    chat,
    startProcess,
    log: () => lines.join(''),
    async [Symbol.asyncDispose]() {
      for (const database of openDatabases) await database.close()
      await base[Symbol.asyncDispose]()
    },
  }
}
