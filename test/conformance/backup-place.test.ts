import { setDefaultTimeout } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/base/ids.ts'
import { openBucketPlace } from '../../src/features/backup/bucket/bucket-place.ts'
import { createFolderPlace } from '../../src/features/backup/places/folder-place.ts'
import { openFolder } from '../support/folder.ts'
import { signedFetch, useBuckets } from '../support/s3.ts'
import { backupPlaceConformance, type PlaceUnderTest } from './backup-place.ts'

setDefaultTimeout(60_000)

const freshBucket = useBuckets()
const PREFIX = 'fundus/'
const LIMITS = { answerTimeout: 20_000, totalTimeout: 30_000, idleTimeout: 5_000, retryPauses: [50, 100] }

const contentName = (sha256: string) => `bestand/${sha256.slice(0, 2)}/${sha256}`

backupPlaceConformance('a folder', inFolder)
backupPlaceConformance('a bucket', () => inBucket(''))
backupPlaceConformance('an encrypted bucket', () => inBucket('ein langes Passwort'))

async function inFolder(): Promise<PlaceUnderTest> {
  const folder = await openFolder()
  const target = join(folder.path, 'sicherung')
  return {
    open: async () => createFolderPlace(target, newId),
    damage: sha256 => writeFile(join(target, contentName(sha256)), 'damaged'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

async function inBucket(password: string): Promise<PlaceUnderTest> {
  const bucket = await freshBucket()
  const scratch = await openFolder()
  return {
    open: () =>
      openBucketPlace({
        target: { ...bucket, prefix: PREFIX, password },
        scratch: scratch.path,
        newId,
        now: Date.now,
        limits: LIMITS,
        createKey: true,
        keySettlingTime: 0,
      }),
    async damage(sha256) {
      const name = `${PREFIX}${contentName(sha256)}${password === '' ? '' : '.age'}`
      const url = `${bucket.endpoint}/${bucket.bucket}/${name}`
      const { ok, status } = await signedFetch(bucket, url, { method: 'PUT', body: 'damaged' })
      if (!ok) throw new Error(`the store answers ${status}`)
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  }
}
