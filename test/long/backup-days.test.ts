/**
 * Fourteen daily backups of a library of which 1 % changes every day: the size of a target, what the last run
 * writes and reads, and that every archive restores bit for bit. `BACKUP_DAYS_FILES=10000
 * BACKUP_DAYS_BYTES=200000` is the full size (2 GB).
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/base/ids.ts'
import { DAY } from '../../src/contract/values/units.ts'
import { beginSqliteInstanceReplacement } from '../../src/database/sqlite/replacement.ts'
import { openBackupInstance } from '../../src/features/backup/testing.ts'
import { restoreArchive } from '../../src/features/restore/restore.ts'
import { readRows } from '../crash/disk.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'

const FILES = Number(process.env.BACKUP_DAYS_FILES ?? 100)
const BYTES = Number(process.env.BACKUP_DAYS_BYTES ?? 600_000)
const DAYS = 14
const STOCK = FILES * BYTES
/** Each archive is read through a window of this size, which matters only for a small library. */
const WINDOWS = STOCK < 2 ** 30 ? DAYS * 512 * 1024 : 0
setDefaultTimeout(6 * 3_600_000)

const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1])

test(`${DAYS} days of ${FILES} files with ${BYTES} bytes each`, async () => {
  await using world = await openBackupInstance()
  let clock = Date.now()
  const backup = world.backup({ now: () => clock })
  const content = (seed: number) => Buffer.from(randomBytes(seed, BYTES * 0.75)).toString('base64')
  const files = new Map<string, string>()
  const put = async (at: number, seed: number) => {
    const [path, text] = [`f/${at % 50}/${at}.txt`, content(seed)]
    await world.database.transaction(tx => tx.deleteFrom('media').where('path', '=', path).execute())
    await world.store(path, text)
    files.set(path, sha256(text))
  }
  for (let at = 0; at < FILES; at++) await put(at, at)
  const days: { archive: string; files: Map<string, string> }[] = []
  let [last, read] = [{ bytes: 0, kopiert: 0 }, 0]
  for (let day = 0; day < DAYS; day++) {
    const changed = day === 0 ? 0 : Math.ceil(FILES / 100)
    for (let nr = 0; nr < changed; nr++) await put((day * changed + nr) % FILES, FILES * (day + 1) + nr)
    clock += DAY
    const before = bytesRead()
    const report = await (await backup.start()).report
    read = bytesRead() - before
    expect([report.ok, report.fehler]).toEqual([true, undefined])
    last = report.plaetze![0]!
    days.push({ archive: report.archiv!, files: new Map(files) })
  }
  await backup.stop()
  const share = (bytes: number) => `${((100 * bytes) / STOCK).toFixed(1)} %`
  console.log(`takes up ${share(last.bytes)}, last run wrote ${share(last.kopiert)}, read ${share(read)}`)
  expect(last.bytes).toBeLessThan(1.3 * STOCK)
  expect(last.kopiert).toBeLessThan(0.03 * STOCK)
  expect(read).toBeLessThan(0.08 * STOCK + WINDOWS)

  const dataDir = join(world.root, 'restored')
  for (const { archive, files: expected } of days) {
    const begin = () => beginSqliteInstanceReplacement({ dataDir, newId, now: Date.now })
    const choice = { address: join(world.target, archive), location: dataDir, force: false }
    const { missing, altered } = await restoreArchive({ begin, onProgress() {} }, choice)
    expect([missing, altered]).toEqual([[], []])
    const found = new Map<string, string>()
    for (const { path, object } of readRows(dataDir))
      found.set(path, sha256(await readFile(join(dataDir, object))))
    expect(found).toEqual(expected)
    await rm(dataDir, { recursive: true })
  }
})
