/** What folders lie on: the answer of each operating system, and whether two answers mean one physical disk. */

/**
 * The disks of this machine by a name that is unique here, or a place on another machine; null where that cannot be
 * found out.
 */
export type Underneath = { disks: ReadonlySet<string> } | { network: string } | null

export type Sameness = 'same' | 'different' | 'unknown'

export function compareDisks(one: Underneath, other: Underneath): Sameness {
  if (!one || !other) return 'unknown'
  if ('network' in one && 'network' in other) return one.network === other.network ? 'same' : 'unknown'
  if ('network' in one || 'network' in other) return 'different'
  return [...one.disks].some(disk => other.disks.has(disk)) ? 'same' : 'different'
}
