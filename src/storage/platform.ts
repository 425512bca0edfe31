/** Everything that differs between Windows and POSIX when files are handled, in this one place. */
import { open, rename } from 'node:fs/promises'
import { toNamespacedPath } from 'node:path'

const onWindows = process.platform === 'win32'

/** The form in which a path may be longer than 260 characters on Windows; elsewhere the path itself. */
export const longPath: (path: string) => string = onWindows ? toNamespacedPath : path => path

/** Flushes a folder, so that names made in it survive a power cut. Windows has no such call: NTFS journals them. */
export async function flushFolder(folder: string): Promise<void> {
  if (onWindows) return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const HELD_BY_SCANNER = new Set(['EPERM', 'EACCES', 'EBUSY'])
const RENAME_PAUSES = [5, 10, 20, 50, 100, 200, 400, 800]

export interface RenameParts {
  rename: (from: string, to: string) => Promise<void>
  sleep: (milliseconds: number) => Promise<unknown>
  retry: boolean
}

/**
 * Renames. On Windows a virus scanner or indexer may hold a fresh file for a moment, so refusals are tried again
 * for about 1.6 s there; elsewhere the same codes are final.
 */
export async function renamePatiently(
  from: string,
  to: string,
  parts: RenameParts = { rename, sleep: Bun.sleep, retry: onWindows },
): Promise<void> {
  for (const pause of parts.retry ? RENAME_PAUSES : []) {
    try {
      return await parts.rename(from, to)
    } catch (error) {
      if (!HELD_BY_SCANNER.has(errorCode(error))) throw error
      await parts.sleep(pause)
    }
  }
  await parts.rename(from, to)
}

/** The system's code of an error, such as `ENOENT`; empty for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
