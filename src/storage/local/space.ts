/** Measures the space of the disk on which a folder is. */
import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  /** Bytes that the service may use, without the bytes reserved for the system. */
  free: number
  total: number
  used: number
}

/** Percentage of used space as `df` counts it, without the bytes reserved for the system. */
export const usedPercent = ({ used, free }: Pick<DiskSpace, 'used' | 'free'>) => (100 * used) / (used + free)

/** The space of the folder's disk; null if the system does not report it. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  const stats = await statfs(folder).catch(() => null)
  if (!stats || stats.blocks * stats.bsize <= 0) return null
  const { bsize, bfree, bavail, blocks } = stats
  return { free: bavail * bsize, total: blocks * bsize, used: (blocks - bfree) * bsize }
}
