/** Where a folder is stored: on local disks or in the network, and whether two folders share a disk. */

/** The unique names of local disks, or a network location; null if unknown. */
export type DiskLocation = { disks: ReadonlySet<string> } | { network: string } | null

export type DiskComparison = 'same' | 'different' | 'unknown'

export function compareDisks(one: DiskLocation, other: DiskLocation): DiskComparison {
  if (!one || !other) return 'unknown'
  if ('network' in one && 'network' in other) return one.network === other.network ? 'same' : 'unknown'
  if ('network' in one || 'network' in other) return 'different'
  return [...one.disks].some(disk => other.disks.has(disk)) ? 'same' : 'different'
}
