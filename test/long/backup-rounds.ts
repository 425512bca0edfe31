/** An instance that changes between backups, and commands on it. */
import type { openBackupInstance } from '../../src/features/backup/testing.ts'
import { spawnCommand } from '../crash/processes.ts'
import { seededRandom } from '../crash/random.ts'
import { testSeed } from '../support/random-seed.ts'

export type World = Awaited<ReturnType<typeof openBackupInstance>>
export const random = seededRandom(testSeed)
let made = 0

/** A command on an instance; `settings` are those of its backup. */
export const command = (dataDir: string, settings: Record<string, string>, ...args: string[]) =>
  spawnCommand(dataDir, args, { SICHERUNG_BEHALTEN: '2', ...settings })

/** Adds and removes some files, so that every run has something to copy and something to remove. */
export async function change(...worlds: World[]): Promise<void> {
  made += 30
  for (const { store, database } of worlds) {
    for (let at = made - 29; at <= made; at++) await store(`k/${at}.txt`, `content ${at} `.repeat(2000))
    await database.transaction(tx => tx.deleteFrom('media').where('path', 'not in', lastPaths()).execute())
    // As if half a minute had passed since the killed process renewed its lease.
    await database.transaction(tx => tx.deleteFrom('lease').execute())
    await database.waitUntilDurable()
  }
}
const lastPaths = () => Array.from({ length: 60 }, (_, back) => `k/${made - back}.txt`)
