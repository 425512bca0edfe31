/** How much room the disk below a folder has. */
import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  /** What the service may still use; what is reserved for the system is not part of it. */
  free: number
  total: number
}

/** Null where the system does not say. */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder)
    const space = { free: bavail * bsize, total: blocks * bsize }
    return space.total > 0 ? space : null
  } catch {
    return null
  }
}
