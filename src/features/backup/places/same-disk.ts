/** Whether two folders are on one physical disk. Partitions of one disk count as the same disk. */
import { stat } from 'node:fs/promises'
import { nearestExisting } from '../../../storage/local/exists.ts'
import { compareDisks, type DiskComparison } from './disk-location.ts'
import { linuxDisks, linuxSystem } from './disks-linux.ts'
import { windowsDisks } from './disks-windows.ts'

/** Never rejects: the result is `unknown` if the disks cannot be determined. */
export async function compareFolderDisks(
  folder: string,
  otherFolder: string,
  platform = process.platform,
): Promise<DiskComparison> {
  try {
    const [firstExisting, secondExisting] = [
      await nearestExisting(folder),
      await nearestExisting(otherFolder),
    ]
    if ((await stat(firstExisting)).dev === (await stat(secondExisting)).dev) return 'same'
    if (platform === 'linux')
      return compareDisks(linuxDisks(linuxSystem, firstExisting), linuxDisks(linuxSystem, secondExisting))
    if (platform === 'win32') {
      const [firstLocation = null, secondLocation = null] = await windowsDisks([folder, otherFolder])
      return compareDisks(firstLocation, secondLocation)
    }
    return 'unknown'
  } catch {
    return 'unknown'
  }
}
