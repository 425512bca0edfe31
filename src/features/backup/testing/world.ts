/** A small instance on disk, for tests of backup and restore. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kindOf } from '../../../contract/kinds.ts'
import { createLeases } from '../../../coordination/leases.ts'
import { openSqlite } from '../../../database/sqlite.ts'
import { newId } from '../../../ids.ts'
import { createLog } from '../../../log.ts'
import { createDiskStorage } from '../../../storage/disk.ts'
import { objectName } from '../../../storage/names.ts'
import { putRow } from '../../media/media.store.ts'
import { createSettings } from '../../settings/settings.ts'
import { type BackupParts, createBackup } from '../backup.ts'

export async function makeWorld() {
  const root = await mkdtemp(join(tmpdir(), 'fundus-backup-'))
  const dataDir = join(root, 'data')
  const storage = await createDiskStorage({ root: dataDir, newId })
  const database = await openSqlite({ file: join(dataDir, 'fundus.db') })
  const lines: string[] = []
  const log = createLog({ level: 'debug', readable: false, write: line => lines.push(line) })
  const told: string[] = []
  const environment: Record<string, string> = {}
  const now = Date.now
  const parts: BackupParts = {
    ...{ database, storage, dataDir, log, newId, now, version: '0' },
    coordination: createLeases({ database, newId, now, log }),
    settings: { current: () => createSettings({ environment, port: 1 }).current() },
    notify: {
      tell: async (occasion, text) => {
        told.push(`${occasion}: ${text}`)
      },
    },
    warningsFor: async () => [],
  }

  async function store(path: string, content: string, mime = 'text/plain'): Promise<number> {
    const id = newId()
    const bytes = Buffer.from(content)
    const staging = await storage.stage()
    await staging.write(bytes)
    await storage.commit(staging, objectName(path, id))
    const sha256 = Bun.SHA256.hash(bytes, 'hex')
    const facts = { size: bytes.length, sha256, mime, kind: kindOf(mime), derived: 'done' as const }
    const times = { token_id: null, created_at: 1, updated_at: 2 }
    return database.transaction(tx =>
      putRow(tx, { id, path, object: objectName(path, id), ...facts, ...times }),
    )
  }

  return {
    root,
    dataDir,
    target: join(dataDir, 'sicherung'),
    database,
    storage,
    environment,
    told,
    lines,
    store,
    backup: (changed: Partial<BackupParts> = {}) => createBackup({ ...parts, ...changed }),
    async end() {
      await database.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
