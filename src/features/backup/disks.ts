/** Whether two folders lie on one physical disk, partitions of one counting as the same. */
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { linuxDisks, linuxSystem } from './disks-linux.ts'
import { windowsDisks } from './disks-windows.ts'

/**
 * What a folder lies on: disks of this machine by a name that is unique here, a place on another machine, or null where
 * that cannot be found out.
 */
export type Underneath = { disks: ReadonlySet<string> } | { network: string } | null

export type Sameness = 'same' | 'different' | 'unknown'

export function compareDisks(one: Underneath, other: Underneath): Sameness {
  if (!one || !other) return 'unknown'
  if ('network' in one && 'network' in other) return one.network === other.network ? 'same' : 'unknown'
  if ('network' in one || 'network' in other) return 'different'
  return [...one.disks].some(disk => other.disks.has(disk)) ? 'same' : 'different'
}

/** Never rejects: it is only asked for a warning. */
export async function onSameDisk(one: string, other: string, platform = process.platform): Promise<Sameness> {
  try {
    const [first, second] = [await existing(one), await existing(other)]
    if ((await stat(first)).dev === (await stat(second)).dev) return 'same'
    if (platform === 'linux')
      return compareDisks(linuxDisks(linuxSystem, first), linuxDisks(linuxSystem, second))
    if (platform === 'win32') {
      const [a = null, b = null] = await windowsDisks([one, other])
      return compareDisks(a, b)
    }
    return 'unknown'
  } catch {
    return 'unknown'
  }
}

/** The folder itself, or the nearest above it that is there: the rest will be made in it. */
async function existing(folder: string): Promise<string> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (await stat(at).catch(() => null)) return at
    if (dirname(at) === at) throw new Error(`nothing of ${folder} exists`)
  }
}
