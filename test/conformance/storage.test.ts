import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../src/ids.ts'
import { createDiskStorage } from '../../src/storage/disk.ts'
import { realDisk } from '../support/folder.ts'
import { removeFolder, storageConformance } from './storage.ts'

storageConformance('disk', async () => {
  const root = await mkdtemp(join(realDisk(), 'fundus-storage-'))
  return { storage: await createDiskStorage({ root, newId }), dispose: () => removeFolder(root) }
})
