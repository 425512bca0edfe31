/**
 * The n-th system call of a kind fails in a running service or in both of its workers, injected with strace,
 * for n = 1, 2, 3 … until none does; calls are counted per thread. Each takes a second, so from the sixth on
 * some are skipped, unless `SYSTEM_CALLS=all` runs every one. Linux only; `npm test` runs a few.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { store } from '../support/api.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { useFolder } from '../support/folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { childrenOf } from '../support/processes.ts'
import { type Service, startService } from '../support/service.ts'
import { needsTool, toolOrFail } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'
import { attempt, expectedOf } from './attempt.ts'
import { checkInstance } from './faulty-service.ts'
import { CHANGES, type Operation, roundIn, UPLOADS } from './operations.ts'

setDefaultTimeout(1_800_000)
needsTool('strace')

/** Not write(2), because the runtime also uses it to wake its own threads. */
const CALLS = [
  ...['pread64', 'pwrite64', 'fsync,fdatasync', 'rename,renameat,renameat2', 'link,linkat', 'openat'],
  ...['unlink,unlinkat,rmdir', 'ftruncate', 'mkdir,mkdirat'],
]
/** The disk fails for one call, or is full from then on. */
const WAYS = [
  ['EIO', ''],
  ['ENOSPC', '+'],
] as const
const MOST_CALLS = 200
const nextOf = (n: number) => (n < 5 || process.env.SYSTEM_CALLS === 'all' ? n + 1 : Math.ceil(n * 1.5))

const TRIED = isOrdinaryRun
  ? { operations: ['upload, short'], calls: ['pwrite64'], ways: WAYS.slice(0, 1), most: 1 }
  : {
      most: MOST_CALLS,
      operations: [
        ...['upload, short', 'upload, long', 'upload, ZIP', 'overwrite, short', 'rename', 'delete by token'],
        ...['move to the trash', 'restore from the trash', 'save settings'],
      ],
      calls: CALLS,
      ways: WAYS,
    }
const WITH_WORKERS = {
  operations: ['upload, short', 'rename'],
  calls: CALLS.slice(1, 5),
  ways: WAYS.slice(0, 1),
}
const MODES = [
  { workers: 1, ...TRIED },
  ...(isOrdinaryRun ? [] : [{ workers: 2, ...TRIED, ...WITH_WORKERS }]),
]

const folder = await useFolder()
let traces = 0

const isTraced = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).every(
    thread => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')),
  )

/** The processes that answer requests: the service itself, or the workers below its supervisor. */
const answering = ({ pid, env }: Service) => (env.WORKERS === '1' ? [pid] : childrenOf(pid))

/**
 * Makes calls of these processes fail until the returned function is called; that returns the failed ones.
 */
async function inject(
  pids: readonly number[],
  calls: string,
  rule: string,
): Promise<() => Promise<string[]>> {
  const file = join(folder, `trace-${++traces}`)
  const filters = ['-e', `trace=${calls}`, '-e', `inject=${calls}:${rule}`]
  const targets = pids.flatMap(pid => ['-p', String(pid)])
  const strace = Bun.spawn([toolOrFail('strace'), '-f', '-y', '-o', file, ...filters, ...targets], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await eventually('strace watches every thread', () => pids.every(isTraced))
  return async () => {
    strace.kill('SIGINT')
    await strace.exited
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.includes('(INJECTED)'))
  }
}

const onLinux = describe.skipIf(process.platform !== 'linux')
onLinux.each(MODES)('a system call fails, with $workers worker(s)', ({ workers, ...tried }) => {
  const operations = [...UPLOADS, ...CHANGES].filter(({ name }) => tried.operations.includes(name))
  test.each(operations)('$name: it is done or not done, and goes on', async operation => {
    const env = { ...ADMIN_ENV, WORKERS: String(workers) }
    await using service = await startService({ ownProcess: true, mode: 'embedded', env })
    const totals = { attempts: 0, calls: 0 }
    const violations: string[] = []
    for (const calls of tried.calls)
      for (const way of tried.ways)
        violations.push(...(await everyCall(service, operation, { calls, way, totals })))
    await service.stop()
    violations.push(...(await checkInstance(service.dataDir)).violations)
    console.log(`system calls, ${workers} worker(s), ${operation.name}: ${JSON.stringify(totals)}`)
    expect(violations).toEqual([])
    expect(totals.calls).toBeGreaterThan(0)
  })
})

let rounds = 0

interface Tried {
  calls: string
  way: (typeof WAYS)[number]
  totals: { attempts: number; calls: number }
}

async function everyCall(service: Service, operation: Operation, { calls, way, totals }: Tried) {
  const [error, from] = way
  const token = await service.createToken('--name', calls, '--may-delete')
  const session = await signIn(service)
  // If the database has no file at all, `fundus check` reports that its rows are lost.
  await store(service, token, 'stays.txt', 'stays')
  const newRound = () => roundIn({ service, token, session, name: `r${++rounds}` })
  const expected = await expectedOf(operation, newRound())
  for (let n = 1; n <= TRIED.most; n = nextOf(n)) {
    let end = async (): Promise<string[]> => []
    const { failed, violations } = await attempt(operation, newRound(), expected, {
      async begin() {
        end = await inject(answering(service), calls, `error=${error}:when=${n}${from}`)
      },
      end: () => end(),
    })
    if (failed.length === 0) return violations
    totals.attempts++
    totals.calls += failed.length
    if (violations.length > 0)
      return violations.map(each => `${each}; ${error} at ${n}${from}:\n${failed.slice(0, 5).join('\n')}`)
  }
  return TRIED.most < MOST_CALLS ? [] : [`no end of ${calls}`]
}
