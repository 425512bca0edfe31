/** How much room the disk below a folder has. */
import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  /** What the service may still use; what is reserved for the system is not part of it. */
  free: number
  total: number
  used: number
}

/** In per cent, as `df` counts: of what the service could use at all, without what is reserved for the system. */
export const usedPercent = ({ used, free }: Pick<DiskSpace, 'used' | 'free'>) => (100 * used) / (used + free)

/** Null where the system does not say. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bsize, bfree, bavail, blocks } = await statfs(folder)
    const space = { free: bavail * bsize, total: blocks * bsize, used: (blocks - bfree) * bsize }
    return space.total > 0 ? space : null
  } catch {
    return null
  }
}
