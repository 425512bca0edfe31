/**
 * A changed byte anywhere in a backup is refused, and the message names the damaged part. `FLIPS=…` sets the
 * number of bytes that are tried.
 */
import { afterAll, expect, test } from 'bun:test'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isOrdinaryRun } from '../../../test/support/left-out.ts'
import { testSeed } from '../../../test/support/random-seed.ts'
import { BackupTrouble } from '../../errors/errors.ts'
import { openBackupInstance } from '../backup/testing.ts'
import { checkArchive } from './restore.ts'

const FLIPS = Number(process.env.FLIPS ?? (isOrdinaryRun ? 60 : 500))

const world = await openBackupInstance()
afterAll(() => world[Symbol.asyncDispose]())
for (let at = 0; at < 20; at++) await world.store(`ordner/${at}.txt`, `content ${at} `.repeat(1 + at * 40))
const backup = world.backup()
const { archiv } = await (await backup.start()).report
await backup.stop()
const archive = join(world.target, archiv!)
const contents = [...new Bun.Glob('bestand/??/*').scanSync({ cwd: world.target, absolute: true })].sort()

async function flip(file: string, position: number, mask: number): Promise<void> {
  await using handle = await open(file, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, position)
  byte[0]! ^= mask
  await handle.write(byte, 0, 1, position)
}

test(`in ${FLIPS} places of archive, list and contents`, async () => {
  expect(contents).toHaveLength(20)
  await checkArchive(archive, () => {})
  const { size } = await stat(archive)
  let state = testSeed >>> 0
  // The generator of "Numerical Recipes": random enough for positions, and repeatable.
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % limit
  }
  for (let count = 0; count < FLIPS; count++) {
    const isContent = count % 3 === 0
    const file = isContent ? contents[below(contents.length)]! : archive
    const length = isContent ? (await stat(file)).size : size
    // In the archive, half of the bytes are chosen after the manifest, which consists mostly of spaces.
    const from = !isContent && count % 2 === 1 ? 65_536 + 512 : 0
    const [position, mask] = [from + below(length - from), 1 + below(255)]
    await flip(file, position, mask)
    const refusal = await checkArchive(archive, () => {}).catch(error => error)
    expect([file, position, mask, refusal]).toEqual([file, position, mask, expect.any(BackupTrouble)])
    expect(refusal.sentence).toMatch(isContent ? /„dateien\/ordner\/\d+\.txt“ \(bestand\// : /^\p{Lu}.+\.$/u)
    await flip(file, position, mask)
  }
  await checkArchive(archive, () => {})
  expect(await readdir(world.target)).toContain('bestand')
})
