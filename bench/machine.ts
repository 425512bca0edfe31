/** What the measurements need to know of the machine: tools, cores, processes, the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { arch, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** One core for the server, another for the load: neither takes the other's time. */
export const SERVER_CORE = '0'
export const LOAD_CORE = '1'
/** For measuring what a server gains by a second core: the load takes what it needs of both. */
export const BOTH_CORES = `${SERVER_CORE},${LOAD_CORE}`

const PACKAGES: Record<string, string> = {
  nginx: 'nginx-light',
  caddy: 'caddy',
  rclone: 'rclone',
  wrk: 'wrk',
  taskset: 'util-linux',
  git: 'git',
}

export async function needTools(): Promise<void> {
  if (process.platform !== 'linux')
    throw new Error('The benchmark needs Linux: taskset, /proc, nginx and wrk.')
  if (cpus().length < 2)
    throw new Error('The benchmark needs two cores: one for the server, one for the load.')
  const packages = missingTools().map(tool => PACKAGES[tool]!)
  if (packages.length === 0) return
  const install = `apt-get update && apt-get install --yes --no-install-recommends ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) {
    throw new Error(`The benchmark needs ${packages.join(', ')}. On Debian or Ubuntu, as root:\n  ${install}`)
  }
  console.log(`installing ${packages.join(', ')} …`)
  // RUNLEVEL: the package must not set a web server of its own going.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', install], { env, timeout: 120_000 })
  if (exitCode !== 0 || missingTools().length > 0) throw new Error(`Failed: ${install}\n${stderr.toString()}`)
}

function missingTools(): string[] {
  // Debian keeps nginx where an ordinary user's PATH does not look.
  process.env.PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`
  return Object.keys(PACKAGES).filter(tool => !Bun.which(tool, { PATH: process.env.PATH ?? '' }))
}

export function describeMachine(): string {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0)
  const hashing = /\bsha_ni\b|\bsha2\b/.test(readFileSync('/proc/cpuinfo', 'utf8')) ? 'with' : 'without'
  return `${cpus().length} × ${processor()} (${arch()}, ${hashing} SHA instructions), ${gigabytes} GB, Linux ${release()}, Bun ${Bun.version}`
}

/** The kernel does not tell the names of ARM processors; `lscpu` knows them by their numbers. */
function processor(): string {
  const { stdout } = Bun.spawnSync(['lscpu'], { env: { ...process.env, LC_ALL: 'C' } })
  return /^Model name:\s*(.+)$/m.exec(stdout.toString())?.[1] ?? cpus()[0]?.model.trim() ?? 'unknown'
}

export function commit(): string {
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
      .stdout.toString()
      .trim()
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', '../src') === '' ? '' : '-dirty'}`
}

export function processTree(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(processTree)]
  } catch {
    return []
  }
}

/** Processor seconds that a process and its children have used so far. */
export function cpuSeconds(pid: number): number {
  let ticks = 0
  for (const each of processTree(pid)) {
    // The command name may hold blanks; the fields after its closing bracket do not.
    const fields = readProc(each, 'stat').split(') ').at(-1)?.split(' ') ?? []
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return ticks / 100
}

/** Processor seconds of one process and its threads, to the microsecond. */
export function exactCpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  // The first figure: nanoseconds on a processor (Documentation/scheduler/sched-stats.rst of the kernel).
  return threads.reduce(
    (sum, thread) => sum + Number(readProc(pid, `task/${thread}/schedstat`).split(' ')[0]) / 1e9,
    0,
  )
}

/**
 * Processor seconds that all processes together, and the host where this is a guest, have used so far.
 * Without those of interrupts: they serve our own network traffic, and are nobody's.
 */
export function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + steal) / 100
}

/** A field of /proc/<pid>/status in bytes: VmRSS, VmHWM. */
export function memory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // gone between two looks
  }
}

/**
 * How often eight writers at a time keep a 10 KB file for good (write, flush, rename, flush the folder): a
 * measure of the disk. Uploads can be quicker, since more of them are under way and share flushes.
 */
export async function durableWritesPerSecond(folder: string, seconds: number): Promise<number> {
  const dir = await mkdtemp(join(folder, 'flush-'))
  const bytes = new Uint8Array(10_240).fill(7)
  const end = performance.now() + seconds * 1000
  let done = 0
  const writer = async (name: string) => {
    for (let n = 0; performance.now() < end; n++) {
      const file = await open(join(dir, `${name}.tmp`), 'w')
      await file.write(bytes)
      await file.sync()
      await file.close()
      await rename(join(dir, `${name}.tmp`), join(dir, `${name}-${n}`))
      const handle = await open(dir, 'r')
      await handle.sync()
      await handle.close()
      done++
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, at) => writer(`w${at}`)))
  await rm(dir, { recursive: true, force: true })
  return done / seconds
}
