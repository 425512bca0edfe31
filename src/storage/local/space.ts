/** Measures the space of the disk that holds a folder. */
import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  /** Bytes that the service may use, without those reserved for the system. */
  free: number
  total: number
  used: number
}

/** Used per cent as `df` counts: without what is reserved for the system. */
export const usedPercent = ({ used, free }: Pick<DiskSpace, 'used' | 'free'>) => (100 * used) / (used + free)

/** The space of the folder's disk; null if the system does not report it. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bsize, bfree, bavail, blocks } = await statfs(folder)
    const space = { free: bavail * bsize, total: blocks * bsize, used: (blocks - bfree) * bsize }
    return space.total > 0 ? space : null
  } catch {
    return null
  }
}
