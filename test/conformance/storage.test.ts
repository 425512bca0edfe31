import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/base/ids.ts'
import { MEGABYTE } from '../../src/contract/values/units.ts'
import { createDiskStorage } from '../../src/storage/disk/disk.ts'
import { createS3Requests } from '../../src/storage/s3/requests.ts'
import { createS3Storage } from '../../src/storage/s3/s3.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { realDisk } from '../support/folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { useBuckets } from '../support/s3.ts'
import { removeFolder, storageConformance } from './storage.ts'

const freshBucket = useBuckets()
const newFolder = () => mkdtemp(join(realDisk(), 'fundus-storage-'))

storageConformance('disk', async () => {
  const root = await newFolder()
  return disposable(await createDiskStorage({ root, newId }), root)
})

/** `npm test` leaves these adapters to the long tests and to `test:many`. */
if (!isOrdinaryRun) {
  storageConformance('S3, with room in its cache', () => onS3(64 * MEGABYTE))
  storageConformance('S3, with a cache that holds nearly nothing', () => onS3(3000))
}

async function onS3(cacheBytes: number) {
  const requests = createS3Requests(await freshBucket())
  const root = await newFolder()
  return disposable(await createS3Storage({ requests, root, cacheBytes, newId }), root)
}

const disposable = (storage: Storage, root: string) => ({
  storage,
  async dispose() {
    await storage.close()
    await removeFolder(root)
  },
})
