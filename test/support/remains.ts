/**
 * What a test file has left behind in its process: timers, child processes, sockets and open files. It would
 * disturb the file that runs next, so the file that left it fails. Processes and descriptors are detected on
 * Linux only.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { ownChildren } from './processes.ts'
import { windowsRun } from './windows.ts'

/** Milliseconds for something that is ending, on a busy machine or under Wine. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 20

const lastingProcesses = new Set<number>()
const lastingPorts = new Set<number>()

/** Starts a helper that serves all tests of a file that runs alone; it ends with this process. */
export async function startLasting<T>(start: () => Promise<T>): Promise<T> {
  const before = ownChildren()
  const helper = await start()
  for (const pid of ownChildren()) if (!before.includes(pid)) lastingProcesses.add(pid)
  return helper
}

/** A server that all files share: the runtime keeps connections to it open. */
export const outlastsFiles = (port: number | string) => void lastingPorts.add(Number(port))

/** Above this number of timers, ended ones are removed from the list. */
const MOST_TIMERS = 1000

/**
 * One thread computes the hashes of the whole process and ends by itself after some idle time. The browser
 * driver closes a connection after half a minute.
 */
const LASTING_TIMERS = /base\/hash\/hash-thread\.ts|node_modules\/playwright-core/

type Remains = Map<string, string>

export function watchForRemains() {
  const timers = watchTimers()
  let known = new Set<string>(look().keys())
  function look(): Remains {
    return new Map([...timers(), ...processes(), ...descriptors()])
  }
  const news = () => [...look()].filter(([key]) => !known.has(key))
  return {
    async failIfAny(): Promise<void> {
      const end = performance.now() + PATIENCE_MS
      let left = news()
      for (let looks = 1; left.length > 0 && performance.now() < end; looks++) {
        // The garbage collector releases what is unreachable: locks on files, and the files of a database
        // that was closed while a statement existed. It takes a tenth of a second; most only need a moment to
        // close.
        if (looks > 1) Bun.gc(true)
        await Bun.sleep(LOOK_EVERY_MS)
        left = news()
      }
      // The next file is not blamed for what this one has left.
      known = new Set(look().keys())
      if (left.length > 0)
        throw new Error(`This file has left behind:\n${left.map(([, what]) => `- ${what}`).join('\n')}`)
    },
  }
}

function watchTimers(): () => Remains {
  // The stack is converted to text only when it is shown: that costs more than the timer.
  const started = new Map<Timer, { key: string; delay: unknown; error: Error }>()
  let count = 0
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const original = globalThis[name] as (...args: unknown[]) => Timer
    const watched = (...args: unknown[]) => {
      const timer = original(...args)
      if (started.size > MOST_TIMERS) forgetEnded()
      started.set(timer, { key: `timer ${++count}`, delay: args[1] ?? 0, error: new Error() })
      return timer
    }
    globalThis[name] = Object.assign(watched, original) as never
  }
  function forgetEnded(): void {
    for (const timer of started.keys())
      if ((timer as unknown as { _destroyed: boolean })._destroyed) started.delete(timer)
  }
  return () => {
    forgetEnded()
    const left = [...started.values()].map(
      ({ key, delay, error }) => [key, `a timer of ${delay} ms, ${stackOf(error)}`] as const,
    )
    return new Map(left.filter(([, what]) => !LASTING_TIMERS.test(what)))
  }
}

const stackOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .slice(2, 5)
    .map(line => line.trim())
    .join(' ')

const processes = (): Remains =>
  new Map(
    ownChildren()
      .filter(pid => !lastingProcesses.has(pid))
      .map(pid => [`process ${pid}`, `the process ${pid}: ${commandOf(pid)}`]),
  )

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
  } catch {
    return 'ended'
  }
}

/**
 * Devices, and memory that the runtime keeps for large bodies. `npm test` has its temporary folders in
 * /dev/shm.
 */
const UNCOUNTED = /^\/(?:dev\/(?!shm\/)|proc\/|sys\/|memfd:)/

function descriptors(): Remains {
  const found: Remains = new Map()
  // The runtime duplicates the descriptors of the standard streams for the processes that it starts.
  const standard = new Set(['0', '1', '2'].map(targetOf))
  let sockets: Map<string, string> | undefined
  for (const descriptor of list('/proc/self/fd')) {
    const target = targetOf(descriptor)
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    if (inode) {
      sockets ??= socketsByInode()
      const socket = sockets.get(inode)
      if (socket) found.set(`socket ${inode}`, socket)
    } else if (target.startsWith('/') && !UNCOUNTED.test(target) && !standard.has(target))
      found.set(`descriptor ${descriptor} ${target}`, `descriptor ${descriptor}, ${target}`)
  }
  return found
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** Wine keeps the sockets of an ended process open for a while, and with them the other end here. */
const STATES: Record<string, string> = {
  ...(windowsRun() ? {} : { '01': 'a connection' }),
  '0A': 'a listening socket',
}

function socketsByInode(): Map<string, string> {
  const sockets = new Map<string, string>()
  for (const file of ['tcp', 'tcp6']) {
    for (const line of readFileSync(`/proc/self/net/${file}`, 'latin1').split('\n').slice(1)) {
      const [, local = '', remote = '', state = '', , , , , , inode] = line.trim().split(/\s+/)
      if (!inode || !STATES[state] || lastingPorts.has(portOf(remote))) continue
      sockets.set(inode, `${STATES[state]} of port ${portOf(local)} to ${portOf(remote)}`)
    }
  }
  return sockets
}

const portOf = (address: string) => Number.parseInt(address.split(':')[1] ?? '', 16)
