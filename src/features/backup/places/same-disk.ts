/**
 * The disks that folders lie on, in one form for every operating system, and whether two folders share a
 * physical disk.
 */

/**
 * What a folder lies on: disks of this machine, each by a name that is unique on this machine, or a place on
 * another machine. Null when this cannot be found out.
 */
export type Underneath = { disks: ReadonlySet<string> } | { network: string } | null

export type Sameness = 'same' | 'different' | 'unknown'

export function compareDisks(one: Underneath, other: Underneath): Sameness {
  if (!one || !other) return 'unknown'
  if ('network' in one && 'network' in other) return one.network === other.network ? 'same' : 'unknown'
  if ('network' in one || 'network' in other) return 'different'
  return [...one.disks].some(disk => other.disks.has(disk)) ? 'same' : 'different'
}
