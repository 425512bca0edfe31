/**
 * The n-th system call of a kind fails in a running service, injected from outside with strace, for n = 1, 2,
 * 3 … until none does. strace counts the calls of each thread, so several may fail. Each takes a second: from
 * the sixth on some are skipped, unless `SYSTEM_CALLS=all` runs every one. Linux only; `npm test` runs a few.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { store } from '../support/api.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { useFolder } from '../support/folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
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

const folder = await useFolder()
let traces = 0

const isTraced = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).every(
    thread => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')),
  )

/**
 * Makes calls of this process fail until the returned function is called, which returns those that failed.
 */
async function inject(pid: number, calls: string, rule: string): Promise<() => Promise<string[]>> {
  const file = join(folder, `trace-${++traces}`)
  const filters = ['-e', `trace=${calls}`, '-e', `inject=${calls}:${rule}`]
  const strace = Bun.spawn([toolOrFail('strace'), '-f', '-y', '-o', file, ...filters, '-p', String(pid)], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await eventually('strace watches every thread', () => isTraced(pid))
  return async () => {
    strace.kill('SIGINT')
    await strace.exited
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.includes('(INJECTED)'))
  }
}

describe.skipIf(process.platform !== 'linux')('a system call fails', () => {
  const operations = [...UPLOADS, ...CHANGES].filter(({ name }) => TRIED.operations.includes(name))
  test.each(operations)('$name: it is done or not done, and goes on', async operation => {
    await using service = await startService({ ownProcess: true, mode: 'embedded', env: ADMIN_ENV })
    const totals = { attempts: 0, calls: 0 }
    const violations: string[] = []
    for (const calls of TRIED.calls)
      for (const way of TRIED.ways)
        violations.push(...(await everyCall(service, operation, { calls, way, totals })))
    await service.stop()
    violations.push(...(await checkInstance(service.dataDir)).violations)
    console.log(`system calls, ${operation.name}: ${JSON.stringify(totals)}`)
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
        end = await inject(service.pid, calls, `error=${error}:when=${n}${from}`)
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
