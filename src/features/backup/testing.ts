/** A small instance on disk, for tests of backup and restore. */
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import { objectName } from '../../storage/names.ts'
import { NOTHING_LOST, openInstance } from '../../testing/instance.ts'
import { putRow } from '../media/media.store.ts'
import { createSettings } from '../settings/settings.ts'
import { type BackupParts, createBackup } from './backup.ts'

export async function openBackupInstance() {
  const instance = await openInstance()
  const { root: dataDir, storage, database, coordination, log } = instance
  const messages: string[] = []
  const environment: Record<string, string> = {}
  const now = Date.now
  const parts: BackupParts = {
    database,
    storage,
    dataDir,
    log,
    newId,
    now,
    version: '0',
    coordination,
    settings: { current: () => createSettings({ environment, port: 1 }).current() },
    notify: {
      queue: async (occasion, text) => {
        messages.push(`${occasion}: ${text}`)
      },
    },
    warningsFor: async () => [],
    lostChanges: NOTHING_LOST,
  }

  async function store(path: string, content: string, mime = 'text/plain'): Promise<number> {
    const id = newId()
    const bytes = Buffer.from(content)
    const staging = await storage.stage()
    await staging.write(bytes)
    const sha256 = Bun.SHA256.hash(bytes, 'hex')
    await storage.commit(staging, objectName(path, id), { size: bytes.length, sha256 })
    const facts = { size: bytes.length, sha256, mime, kind: kindOf(mime), derived: 'done' as const }
    const otherColumns = { token_id: null, created_at: 1, updated_at: 2 }
    return database.transaction(tx =>
      putRow(tx, { id, path, object: objectName(path, id), ...facts, ...otherColumns }),
    )
  }

  return {
    ...instance,
    dataDir,
    target: join(dataDir, 'sicherung'),
    environment,
    messages,
    store,
    backup: (changedParts: Partial<BackupParts> = {}) => createBackup({ ...parts, ...changedParts }),
  }
}
