/**
 * A bucket whose bytes change, and backups to it that are killed: every changed byte is refused by name, and
 * nothing that an archive names is lost. `FLIPS` and `BACKUP_KILLS` set how many.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { BackupTrouble } from '../../src/errors/errors.ts'
import { openBucketPlace } from '../../src/features/backup/bucket/bucket-place.ts'
import { KEY_FILE } from '../../src/features/backup/bucket/open-sealing.ts'
import type { Place } from '../../src/features/backup/places/place.ts'
import { openBackupInstance } from '../../src/features/backup/testing.ts'
import { checkArchive } from '../../src/features/restore/restore.ts'
import { expectSuccess, killed } from '../crash/processes.ts'
import { change, command, random, type World } from '../long/backup-rounds.ts'
import { findCeph } from '../support/ceph.ts'
import { useFolder } from '../support/folder.ts'
import { type Bucket, listBucket, signedFetch, useBuckets } from '../support/s3.ts'
import { needsTool } from '../support/tools.ts'

const FLIPS = Number(process.env.FLIPS ?? 40)
const KILLS = Number(process.env.BACKUP_KILLS ?? 5)
setDefaultTimeout(60_000 * (KILLS + 3))
needsTool('radosgw', findCeph)

const freshBucket = useBuckets()
const scratch = await useFolder()
const PASSWORD = 'ein langes Passwort'

const settingsOf = (bucket: Bucket, password: string) => ({
  SICHERUNG_S3_ENDPOINT: bucket.endpoint,
  SICHERUNG_S3_BUCKET: bucket.bucket,
  SICHERUNG_S3_REGION: bucket.region,
  SICHERUNG_S3_ACCESS_KEY_ID: bucket.accessKeyId,
  SICHERUNG_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  SICHERUNG_PASSWORT: password,
})

const placeOf = (bucket: Bucket, password: string) =>
  openBucketPlace({
    target: { ...bucket, prefix: '', password },
    ...{ scratch, newId, now: Date.now, createKey: false },
  })

/** Verifies every archive in the bucket; returns how many. */
async function checkAll(opened: Promise<Place>): Promise<number> {
  const place = await opened
  const archives = await place.archives()
  for (const { name } of archives) await checkArchive({ place, archive: name }, () => {})
  return archives.length
}

const begin = async (world: World, bucket: Bucket, password: string) => {
  Object.assign(world.environment, settingsOf(bucket, password))
  const backup = world.backup()
  const report = await (await backup.start()).report
  await backup.stop()
  expect(report).toMatchObject({ ok: true, orte: 2 })
}

test.each(['', PASSWORD])(
  'one other byte anywhere in the bucket is refused with a sentence, password “%s”',
  async password => {
    const bucket = await freshBucket()
    await using world = await openBackupInstance()
    for (let at = 0; at < 20; at++) await world.store(`f/${at}.txt`, `content ${at}`.repeat(at * 50))
    await begin(world, bucket, password)
    const opened = placeOf(bucket, password)
    const names = (await listBucket(bucket)).filter(name => !name.endsWith('geprueft.json'))
    for (let round = 0; round < FLIPS; round++) {
      const name = random.pick(names)
      const url = `${bucket.endpoint}/${bucket.bucket}/${name}`
      const before = await (await signedFetch(bucket, url)).bytes()
      if (before.length === 0) continue
      const bytes = Uint8Array.from(before)
      const at = random.between(0, bytes.length - 1)
      bytes[at]! ^= 1 << random.between(0, 7)
      await signedFetch(bucket, url, { method: 'PUT', body: bytes })
      const error = await checkAll(name === KEY_FILE ? placeOf(bucket, password) : opened).catch(
        caught => caught,
      )
      expect([name, at, error instanceof BackupTrouble ? error.sentence : error]).toEqual([
        name,
        at,
        expect.stringMatching(
          /beschädigt|abgeschnitten|öffnet den Schlüssel|kein Archiv|enthält den Namen|Format/,
        ),
      ])
      await signedFetch(bucket, url, { method: 'PUT', body: before })
    }
    expect(await checkAll(opened)).toBe(1)
  },
)

test.each(['', PASSWORD])(
  `backups to a bucket killed ${KILLS} times: no archive loses a content, and the next run is clean, password “%s”`,
  async password => {
    const bucket = await freshBucket()
    await using world = await openBackupInstance()
    const settings = settingsOf(bucket, password)
    const run = () => command(world.root, settings, 'backup')
    await change(world)
    const begun = performance.now()
    await expectSuccess(run())
    const longest = performance.now() - begun
    const opened = placeOf(bucket, password)
    let kills = 0
    for (let round = 0; round < KILLS; round++) {
      await change(world)
      if (await killed(run(), random.between(longest / 4, longest))) kills++
      expect(await checkAll(opened)).toBeGreaterThan(0)
    }
    await change(world)
    await expectSuccess(run())
    expect(await checkAll(opened)).toBe(2)
    expect((await listBucket(bucket)).filter(name => name.startsWith('bestand/weg/'))).toEqual([])
    console.log(`backups to a bucket: killed ${kills} of ${KILLS} times`)
  },
)
