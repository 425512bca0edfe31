/**
 * Backups and restores killed at random moments, also while they remove old archives, and two instances that
 * back up to one folder at once: nothing that an archive names is lost, and the next run is clean.
 * `BACKUP_KILLS=100` kills more often.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openBackupInstance } from '../../src/features/backup/testing.ts'
import { checkArchive } from '../../src/features/restore/restore.ts'
import { expectSuccess, killed } from '../crash/processes.ts'
import { namesIn } from '../support/backup.ts'
import { change, command, random } from './backup-rounds.ts'

const KILLS = Number(process.env.BACKUP_KILLS ?? 9)
setDefaultTimeout(120_000 * (KILLS + 3))

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
  const places = { SICHERUNG_ZIEL: target, SICHERUNG_ZWEITZIEL: second }
  const run = (...args: string[]) => command(world.root, places, ...args)
  await change(world)
  const begun = performance.now()
  await expectSuccess(run('backup'))
  const longest = performance.now() - begun
  let kills = 0
  for (let round = 0; round < KILLS; round++) {
    await change(world)
    if (await killed(run('backup'), random.between(longest / 4, longest))) kills++
    expect(await expectWhole(target, second)).toBeGreaterThan(0)
    await killed(run('restore', second, '--into', into, '--force'), random.between(1, longest))
    await expectWhole(target, second)
  }
  await change(world)
  await expectSuccess(run('backup'))
  expect(await expectWhole(target, second)).toBe(4)
  for (const folder of [target, second]) await expectClean(folder)
  await expectSuccess(run('restore', second, '--into', into, '--force'))
  console.log(`backups: killed ${kills} of ${KILLS} times`)
})

test('two instances that back up to one folder at once: what either has published stays whole', async () => {
  await using world = await openBackupInstance()
  await using other = await openBackupInstance()
  const second = join(world.root, 'second')
  const places = { SICHERUNG_ZIEL: world.target, SICHERUNG_ZWEITZIEL: second }
  const run = (dataDir: string) => command(dataDir, places, 'backup')
  for (let round = 0; round < KILLS; round++) {
    await change(world, other)
    const running = [run(world.root), run(other.root)]
    if (round % 3 === 2) setTimeout(() => running[1]!.kill('SIGKILL'), random.between(200, 2000))
    await Promise.all(running.map(child => child.exited))
    expect(await expectWhole(world.target, second)).toBeGreaterThan(0)
  }
  await change(world)
  await expectSuccess(run(world.root))
  await expectWhole(world.target, second)
  await expectClean(world.target)
  expect((await readdir(world.target)).length).toBeGreaterThan(1)
})
