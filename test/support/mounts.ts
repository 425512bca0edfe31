/** Real file systems of a chosen size, where root on Linux may mount them. */
export function mount(folder: string, megabytes: number): void {
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'fundus-test']
  const { exitCode, stderr } = Bun.spawnSync(['mount', ...options, folder])
  if (exitCode !== 0) throw new Error(stderr.toString())
}

/** From now on nothing can be written there. */
export function makeReadOnly(folder: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['mount', '-o', 'remount,ro', folder])
  if (exitCode !== 0) throw new Error(stderr.toString())
}

export function unmount(folder: string): void {
  Bun.spawnSync(['umount', folder])
}

/** Why no file system can be mounted here, or null. */
export function mountProblem(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const probe = Bun.spawnSync(['mktemp', '-d']).stdout.toString().trim()
  try {
    mount(probe, 1)
    unmount(probe)
    return null
  } catch (error) {
    return `mounting is refused here: ${error instanceof Error ? error.message.trim() : error}`
  } finally {
    Bun.spawnSync(['rmdir', probe])
  }
}

/** Writes until `bytes` are written or the disk is full, down to the last page. */
export async function fill(file: string, bytes: number): Promise<void> {
  const block = 4096
  const count = Math.ceil(bytes / block)
  const child = Bun.spawn(['dd', 'if=/dev/zero', `of=${file}`, `bs=${block}`, `count=${count}`], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await child.exited
}
