/**
 * The system refuses to open the database file (injected from outside with strace): the start fails with the
 * system's reason.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { startService } from '../support/service.ts'
import { toolOrFail } from '../support/tools.ts'

setDefaultTimeout(180_000)

const [BROKEN, RIGHTS] = [
  'der Datenträger meldet einen Lese- oder Schreibfehler, bitte ihn prüfen',
  'dort fehlen diesem Benutzerkonto die nötigen Rechte',
]

test.each([
  ['EIO', '1', BROKEN],
  ['EIO', '2', BROKEN],
  ['EACCES', '1', RIGHTS],
])('%s, %s workers: %s', async (code, workers, reason) => {
  await using service = await startService({ ownProcess: true, mode: 'embedded' })
  await service.stop()
  const strace = [
    ...[toolOrFail('strace'), '-f', '-qq', '-o', '/dev/null'],
    ...['-P', join(service.dataDir, 'fundus.db'), '-e', `inject=openat:error=${code}`],
  ]
  const { DATA_DIR, PATH } = service.env
  const child = Bun.spawn([...strace, process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: join(import.meta.dir, '../..'),
    env: { DATA_DIR, PATH, PORT: '0', WORKERS: workers, LANG: 'de_DE.UTF-8' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited])
  expect([stderr, exitCode]).toEqual([
    expect.stringContaining(`Der Datenordner ${service.dataDir} ist nicht benutzbar: ${reason}`),
    2,
  ])
})
