/** Small file systems for tests, and folders that cannot be written. Only for root on Linux. */
import { dlopen, FFIType, ptr } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { toolOrFail } from './tools.ts'
import { eventually } from './wait.ts'

export const findMkfs = () => Bun.which('mkfs.ext4')

/** `inodes`: maximum number of files and folders, for tests in which space is not what runs out first. */
export function mount(folder: string, megabytes: number, inodes?: number): void {
  const options = [`size=${megabytes}m`, ...(inodes === undefined ? [] : [`nr_inodes=${inodes}`])]
  run('mount', '-t', 'tmpfs', '-o', options.join(), 'fundus-test', folder)
}

/** From now on nothing can be written below `folder` by name; open files stay as they are. */
export function mountReadOnly(folder: string): void {
  run('mount', '--bind', folder, folder)
  run('mount', '-o', 'remount,ro,bind', folder)
}

/** Ends `mountReadOnly`, even if files are open there. */
export const remountWritable = (folder: string) => run('mount', '-o', 'remount,rw,bind', folder)

/**
 * From now on every access to `folder` hangs, as on a network share whose server is gone, until it is
 * disposed of.
 */
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

/** Its name disappears at once, the mount itself when nothing uses it any more. */
const unmountLater = (folder: string) => run('umount', '-l', folder)

export function unmount(folder: string): void {
  Bun.spawnSync(['umount', folder])
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(stderr.toString())
}

/** Creates an ext4 file system in a new file; `mountImage` mounts it. */
export function makeImage(image: string, megabytes: number): void {
  run('truncate', '-s', `${megabytes}M`, image)
  run(toolOrFail('e2fsprogs', findMkfs), '-q', '-F', image)
}

export const mountImage = (image: string, folder: string) => run('mount', '-o', 'loop', image, folder)

/** The disk of `mountImage`: its power is cut at once; then the flushed data is mounted again. */
export const diskOf = (image: string, folder: string) => ({
  async losePower() {
    cutPower(folder)
    await mountAfterCut(image, folder)
  },
})

/**
 * Mounts what a power cut has left, as a copy: a process of another test with its own mount namespace may
 * keep the unmounted file system in use, and the same image would be mounted in its old state, which gives
 * only errors.
 */
async function mountAfterCut(image: string, folder: string): Promise<void> {
  await unmountPatiently(folder)
  run('cp', '--sparse=always', image, `${image}.copy`)
  run('mv', `${image}.copy`, image)
  mountImage(image, folder)
}

export interface ThinDisk extends AsyncDisposable {
  /** Where the file system is mounted. */
  readonly folder: string
  /**
   * From now on no block can be written that was never written, or was freed: the file system has space, its
   * disk has none.
   */
  exhaust(): Promise<void>
  recover(): Promise<void>
  /** Discards everything that is not on the disk yet; the file system is mounted again. */
  losePower(): Promise<void>
}

/**
 * An ext4 file system on a thinly provisioned disk: a sparse file in a small file system in memory, its pool.
 */
export async function openThinDisk(root: string, megabytes: number): Promise<ThinDisk> {
  const folder = join(root, 'thin')
  await mkdir(folder, { recursive: true })
  let pools = 0
  async function newPool(): Promise<string> {
    const path = join(root, `pool-${++pools}`)
    await mkdir(path)
    mount(path, megabytes)
    return path
  }
  let pool = await newPool()
  const imageIn = (path: string) => join(path, 'image')
  const filler = () => join(pool, 'filler')
  makeImage(imageIn(pool), megabytes - 2)
  run('fallocate', '-l', `${megabytes - 2}M`, imageIn(pool))
  async function mountThin(): Promise<void> {
    mountImage(imageIn(pool), folder)
    const device = Bun.spawnSync(['findmnt', '-no', 'SOURCE', folder]).stdout.toString().trim()
    // One block at a time, because the loop driver reports a request as written even if only half of it fits.
    await writeFile(`/sys/block/${basename(device)}/queue/max_sectors_kb`, '4')
    // The file system's journal and metadata keep their blocks; only free blocks are returned to the pool.
    run('fstrim', folder)
  }
  await mountThin()
  return {
    folder,
    async exhaust() {
      // The file system's metadata gets its blocks: without them it would become read-only.
      run('sync', '-f', folder)
      await fill(filler(), megabytes * 1024 ** 2)
    },
    recover: () => rm(filler(), { force: true }),
    async losePower() {
      cutPower(folder)
      await unmountPatiently(folder)
      // A copy, for the reason given at `mountAfterCut`, in a pool of its own: the old one has no space for
      // two.
      const before = pool
      pool = await newPool()
      run('cp', '--sparse=never', imageIn(before), imageIn(pool))
      unmountLater(before)
      await mountThin()
    },
    async [Symbol.asyncDispose]() {
      await unmountPatiently(folder)
      unmountLater(pool)
    },
  }
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: what is not on the disk yet never gets there. */
const SHUT_DOWN = 0x8004_587d
const WITHOUT_FLUSHING = Uint32Array.of(2)

/** From now on the next mount shows the state after a power cut, and the current mount gives only errors. */
function cutPower(folder: string): void {
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

/** Also true if the file system has made itself read-only after an error. */
export function isMountedReadOnly(folder: string): boolean {
  const options = Bun.spawnSync(['findmnt', '-no', 'FS-OPTIONS', folder]).stdout.toString().trim().split(',')
  return options.includes('ro') || options.includes('emergency_ro')
}

/** POSIX_FADV_DONTNEED. */
const NOT_NEEDED = 4

/** Makes the kernel forget its cached pages of a file, including those that it believes were written. */
export function evict(file: string): void {
  const { symbols, close } = dlopen('libc.so.6', {
    posix_fadvise: { args: [FFIType.i32, FFIType.i64, FFIType.i64, FFIType.i32], returns: FFIType.i32 },
  })
  const opened = openSync(file, 'r')
  symbols.posix_fadvise(opened, 0, 0, NOT_NEEDED)
  closeSync(opened)
  close()
}

/** Waits for helpers of a killed process, which may still have a file open there. */
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

/** Creates empty files in a new folder until the file system can hold no more. */
export async function fillInodes(folder: string): Promise<void> {
  await mkdir(folder)
  for (let count = 0; ; count++) {
    const made = await writeFile(join(folder, String(count)), '').then(
      () => true,
      () => false,
    )
    if (!made) return
  }
}

/** Writes until `bytes` are written or the disk is full, to the last page. */
export async function fill(file: string, bytes: number): Promise<void> {
  const block = 4096
  const count = Math.ceil(bytes / block)
  const child = Bun.spawn(['dd', 'if=/dev/zero', `of=${file}`, `bs=${block}`, `count=${count}`], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await child.exited
}
