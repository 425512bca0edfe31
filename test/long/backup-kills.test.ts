/**
 * Backups and restores killed at random moments, thinning included, and two instances that back up to one folder at once:
 * nothing that an archive names is lost, and the next run is clean. `BACKUP_KILLS=100` kills oftener.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackupInstance } from '../../src/features/backup/testing.ts'
import { checkArchive } from '../../src/features/restore/restore.ts'
import { killed, spawnCommand } from '../crash/processes.ts'
import { seededRandom } from '../crash/random.ts'
import { namesIn } from '../support/backup.ts'
import { testSeed } from '../support/random-seed.ts'

const KILLS = Number(process.env.BACKUP_KILLS ?? 9)
setDefaultTimeout(120_000 * (KILLS + 3))

type World = Awaited<ReturnType<typeof openBackupInstance>>
const random = seededRandom(testSeed)
let made = 0

interface Places {
  dataDir: string
  target: string
  second: string
}

function command({ dataDir, target, second }: Places, ...args: string[]) {
  const env = { SICHERUNG_ZIEL: target, SICHERUNG_ZWEITZIEL: second, SICHERUNG_BEHALTEN: '2' }
  return spawnCommand(dataDir, args, env)
}

/** Some new files, some gone: every run has something to copy and something to remove. */
async function change(...worlds: World[]): Promise<void> {
  made += 30
  for (const { store, database } of worlds) {
    for (let at = made - 29; at <= made; at++) await store(`k/${at}.txt`, `content ${at} `.repeat(2000))
    await database.transaction(tx => tx.deleteFrom('media').where('path', 'not in', lastPaths()).execute())
    // As if half a minute had passed since the killed process was last heard of.
    await database.transaction(tx => tx.deleteFrom('lease').execute())
    await database.durable()
  }
}
const lastPaths = () => Array.from({ length: 60 }, (_, back) => `k/${made - back}.txt`)

async function expectWhole(...folders: string[]): Promise<number> {
  let archives = 0
  for (const folder of folders)
    for (const name of await namesIn(folder)) {
      if (!name.endsWith('.tar')) continue
      archives++
      await checkArchive(join(folder, name), () => {})
    }
  return archives
}

async function expectClean(folder: string): Promise<void> {
  expect((await namesIn(folder)).filter(name => name.startsWith('.'))).toEqual([])
  for (const name of ['neu', 'weg']) expect(await namesIn(join(folder, 'bestand', name))).toEqual([])
}

test(`backup and restore killed ${KILLS} times each: no archive loses a content, and the next run is clean`, async () => {
  await using world = await openBackupInstance()
  const [target, second, into] = [world.target, join(world.root, 'second'), join(world.root, 'into')]
  const places = { dataDir: world.root, target, second }
  await change(world)
  const begun = performance.now()
  expect(await command(places, 'backup').exited).toBe(0)
  const longest = performance.now() - begun
  let kills = 0
  for (let round = 0; round < KILLS; round++) {
    await change(world)
    if (await killed(command(places, 'backup'), random.between(longest / 4, longest))) kills++
    expect(await expectWhole(target, second)).toBeGreaterThan(0)
    await killed(command(places, 'restore', second, '--into', into, '--force'), random.between(1, longest))
    await expectWhole(target, second)
  }
  await change(world)
  expect(await command(places, 'backup').exited).toBe(0)
  expect(await expectWhole(target, second)).toBe(4)
  for (const folder of [target, second]) await expectClean(folder)
  expect(await command(places, 'restore', second, '--into', into, '--force').exited).toBe(0)
  console.log(`backups: killed ${kills} of ${KILLS} times`)
})

test('two instances that back up to one folder at once: what either has published stays whole', async () => {
  await using world = await openBackupInstance()
  await using other = await openBackupInstance()
  const second = join(world.root, 'second')
  const run = (dataDir: string) => command({ dataDir, target: world.target, second }, 'backup')
  for (let round = 0; round < KILLS; round++) {
    await change(world, other)
    const running = [run(world.root), run(other.root)]
    if (round % 3 === 2) setTimeout(() => running[1]!.kill('SIGKILL'), random.between(200, 2000))
    await Promise.all(running.map(child => child.exited))
    expect(await expectWhole(world.target, second)).toBeGreaterThan(0)
  }
  await change(world)
  expect(await run(world.root).exited).toBe(0)
  await expectWhole(world.target, second)
  await expectClean(world.target)
  expect((await readdir(world.target)).length).toBeGreaterThan(1)
})
