/** Flushes a whole file system, where Linux can do so and reports errors. */
import { realpath, statfs } from 'node:fs/promises'
import { release } from 'node:os'
import { basename } from 'node:path'

/**
 * File systems that are really flushed, by their numbers in statfs(2). FUSE and network file systems may only
 * pass the bytes on.
 */
const FLUSHED_AS_A_WHOLE = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0xf2f52010], // ext, XFS, Btrfs, F2FS
  ...[0x2fc12fc1, 0xca451a4e, 0x01021994], // ZFS, bcachefs, tmpfs
])

/**
 * Returns a function that flushes the file system of a folder (syncfs(2)), and rejects if that failed. Null
 * where this is not possible. The runtime has no such call, so a program does it.
 */
export async function wholeFlush(
  folder: string,
  program = Bun.which('sync'),
): Promise<(() => Promise<void>) | null> {
  if (process.platform !== 'linux' || !reportsErrors(release())) return null
  // The `sync` of BusyBox does not report errors. BusyBox is one program under many names.
  if (program === null || basename(await realpath(program)) !== 'sync') return null
  if (!FLUSHED_AS_A_WHOLE.has((await statfs(folder)).type >>> 0)) return null
  return async () => {
    // A stop signal to the service may reach the program too, and says nothing about the disk.
    const first = await run([program, '-f', folder])
    const { code, said } = first.isStopped ? await run([program, '-f', folder]) : first
    if (code !== 0) throw new Error(`${program} -f ${folder} ended with ${code}: ${said.trim()}`)
  }
}

/** Before 5.8 Linux did not report write errors to syncfs(2). */
export function reportsErrors(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 5 || (major === 5 && minor >= 8)
}

async function run(command: string[]): Promise<{ code: number; said: string; isStopped: boolean }> {
  const child = Bun.spawn(command, { env: {}, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
  const [code, said] = await Promise.all([child.exited, child.stderr.text()])
  return { code, said, isStopped: child.signalCode !== null }
}
