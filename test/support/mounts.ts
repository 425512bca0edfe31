/** Small file systems of a test's own, and folders that refuse to be written. Root on Linux only. */
import { dlopen, FFIType, ptr } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import { toolOrFail } from './tools.ts'
import { eventually } from './wait.ts'

export const findMkfs = () => Bun.which('mkfs.ext4')

export function mount(folder: string, megabytes: number): void {
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'fundus-test', folder)
}

/** From now on nothing can be written below `folder` by name; files that are open stay as they are. */
export function mountReadOnly(folder: string): void {
  run('mount', '--bind', folder, folder)
  run('mount', '-o', 'remount,ro,bind', folder)
}

/** From now on whoever touches `folder` waits, as on a network share whose server is gone; until it is disposed of. */
export async function hang(folder: string): Promise<AsyncDisposable> {
  // A file system in user space whose program never answers.
  const script = `exec 3<>/dev/fuse
    mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 fundus-test "$1" && echo mounted && exec sleep 600`
  const child = Bun.spawn(['sh', '-c', script, 'sh', folder], { stdout: 'pipe', stderr: 'ignore' })
  const first = await child.stdout.getReader().read()
  if (first.done) throw new Error('no file system in user space can be mounted here')
  return {
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
      Bun.spawnSync(['umount', '-l', folder])
    },
  }
}

export function unmount(folder: string): void {
  Bun.spawnSync(['umount', folder])
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(stderr.toString())
}

/** Puts an ext4 file system into a new file; `mountImage` mounts it. */
export function makeImage(image: string, megabytes: number): void {
  run('truncate', '-s', `${megabytes}M`, image)
  run(toolOrFail('e2fsprogs', findMkfs), '-q', '-F', image)
}

export const mountImage = (image: string, folder: string) => run('mount', '-o', 'loop', image, folder)

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: what is not on the disk yet never gets there. */
const SHUT_DOWN = 0x8004_587d
const WITHOUT_FLUSHING = Uint32Array.of(2)

/** From now on the file system is as after a power cut, for whoever mounts it next; who has it mounted gets errors only. */
export function cutPower(folder: string): void {
  const { symbols, close } = dlopen('libc.so.6', {
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  })
  const opened = openSync(folder, 'r')
  try {
    if (symbols.ioctl(opened, SHUT_DOWN, ptr(WITHOUT_FLUSHING)) !== 0)
      throw new Error('the file system could not be shut down')
  } finally {
    closeSync(opened)
    close()
  }
}

/** Waits for helpers of a killed process, which may still have a file there open. */
export const unmountPatiently = (folder: string) =>
  eventually(`${folder} is unmounted`, () => Bun.spawnSync(['umount', folder]).exitCode === 0)

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
