/**
 * `npm run bench -- backup`: a backup of 5 GB with a second target, by the running service and by the
 * command, then a restore; peak memory of each process and its speed. The service first comes to rest, as
 * before a daily run. Exits with 1 when a peak is at or above 150 MB. `BENCH_GB` and `BENCH_DIR` choose
 * another size and place; it needs about four times the size there, and Linux for `/proc`.
 */
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { store } from '../test/support/api.ts'
import { randomBytes } from '../test/support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../test/support/dashboard.ts'
import { type Service, startService } from '../test/support/service.ts'
import { commit, describeMachine, memory } from './machine.ts'

const MB = 1024 * 1024
const BAR = 150 * MB
/** Milliseconds after which a service that nobody asks has given back the memory of the uploads. */
const REST = 15_000
const LARGE = 60 * MB
const SMALL = 20 * 1024
const SMALL_FILES = 5000
const GIGABYTES = Number(process.env.BENCH_GB ?? 5)

interface Measured {
  what: string
  seconds: number
  peak: number
}

async function fill(service: Service): Promise<void> {
  const token = await service.createToken()
  const large = Math.ceil((GIGABYTES * 1024 * MB - SMALL * SMALL_FILES) / LARGE)
  const body = randomBytes(1, LARGE)
  for (let at = 0; at < large; at++) {
    // Other bytes in each, without the time of making them anew.
    new DataView(body.buffer).setUint32(0, at)
    await store(service, token, `large/${at}.bin`, body)
  }
  let next = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let at = next++; at < SMALL_FILES; at = next++)
        await store(service, token, `small/${at % 50}/${at}.bin`, randomBytes(at + 2, SMALL))
    }),
  )
}

async function byService(service: Service): Promise<Measured> {
  const session = await signIn(service)
  await Bun.sleep(REST)
  // 5: the high-water mark begins anew (man 5 proc).
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5')
  const start = performance.now()
  const answer = await dash(service, 'sicherung?warten=1', { method: 'POST', session })
  const report = (await answer.json()) as { ok: boolean; fehler?: string }
  if (!report.ok) throw new Error(report.fehler)
  const seconds = (performance.now() - start) / 1000
  return { what: 'backup by the service', seconds, peak: memory(service.pid, 'VmHWM') }
}

async function byCommand(what: string, dataDir: string, env: Record<string, string>, ...args: string[]) {
  const start = performance.now()
  const child = Bun.spawn([process.execPath, 'src/cli.ts', ...args], {
    cwd: resolve(import.meta.dir, '..'),
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...env },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, memory(child.pid, 'VmHWM'))
  }, 20)
  const code = await child.exited
  clearInterval(timer)
  if (code !== 0) throw new Error(`${what} ended with ${code}`)
  return { what, seconds: (performance.now() - start) / 1000, peak }
}

const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-bench-backup-'))
try {
  const [dataDir, second] = [join(folder, 'data'), join(folder, 'second')]
  const env = { SICHERUNG_ZWEITZIEL: second, SICHERUNG_BEHALTEN: '1' }
  await using service = await startService({ ownProcess: true, dataDir, env: { ...ADMIN_ENV, ...env } })
  console.log(`${describeMachine()}\ncommit ${commit()}\nfilling ${GIGABYTES} GB …`)
  await fill(service)
  const results = [await byService(service)]
  await service.stop()
  await service.restart()
  results.push(await byCommand('fundus backup beside it', dataDir, env, 'backup'))
  const [archive] = await Array.fromAsync(new Bun.Glob('fundus-*.tar').scan(second))
  const into = join(folder, 'restored')
  results.push(
    await byCommand('fundus restore', dataDir, {}, 'restore', join(second, archive!), '--into', into),
  )
  for (const { what, seconds, peak } of results)
    console.log(`${what.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s   peak ${(peak / MB).toFixed(0)} MB`)
  if (results.some(({ peak }) => peak >= BAR)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Connections that are kept alive would hold the process.
process.exit()
