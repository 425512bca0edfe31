/** On which disks a folder is, and whether two folders have one in common. */

/** Local disks by unique names, or a network location; null if unknown. */
export type DiskLocation = { disks: ReadonlySet<string> } | { network: string } | null

export type DiskComparison = 'same' | 'different' | 'unknown'

export function compareDisks(one: DiskLocation, other: DiskLocation): DiskComparison {
  if (!one || !other) return 'unknown'
  if ('network' in one && 'network' in other) return one.network === other.network ? 'same' : 'unknown'
  if ('network' in one || 'network' in other) return 'different'
  return [...one.disks].some(disk => other.disks.has(disk)) ? 'same' : 'different'
}
