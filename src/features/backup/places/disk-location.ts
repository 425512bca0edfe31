/** Where a folder is stored: on local disks or in the network, and whether two folders share a disk. */

/**
 * Where a folder is stored: the unique names of its local disks, or the name of a network server or share;
 * null if unknown.
 */
export type DiskLocation = { disks: ReadonlySet<string> } | { network: string } | null

export type DiskComparison = 'same' | 'different' | 'unknown'

export function compareDisks(location: DiskLocation, otherLocation: DiskLocation): DiskComparison {
  if (!location || !otherLocation) return 'unknown'
  if ('network' in location && 'network' in otherLocation)
    return location.network === otherLocation.network ? 'same' : 'unknown'
  if ('network' in location || 'network' in otherLocation) return 'different'
  return [...location.disks].some(disk => otherLocation.disks.has(disk)) ? 'same' : 'different'
}
