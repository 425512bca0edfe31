/**
 * `npm run bench -- guard`: this checkout beside another commit, in about a minute, for a look before a
 * release.
 *   npm run bench -- guard <commit>   compares with that commit instead of `main`
 *   --rounds N                        rounds of each case, five unless given
 *   --only PATTERN                    only cases whose name matches the regular expression
 * Both run in turn on the same core. Requests per second of the server's own processor time tell more than
 * requests per second of the clock: they hold while other programs use the machine, too. Exits with 1 when a
 * case lost a tenth of them.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HEAD, HEAD_ONLY, KB, MB } from './cases.ts'
import { type Asking, byUpload, type FileSet, fileSet, mustBeEqual, place, writeTargets } from './files.ts'
import { openLine } from './line.ts'
import { commit, cpuSeconds, needTools } from './machine.ts'
import { percentile } from './percentile.ts'
import { type Server, startFundus } from './server.ts'
import { runUpload } from './upload.ts'
import { type Run, runWrk } from './wrk.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
})
const ROUNDS = Number(options.rounds)
const SECONDS = 1
const CLIENTS = 32
const LEAST = 0.9
const line = openLine(true)

type Case = [name: string, run: (server: Server) => Promise<Run>]

async function prepareCases(folder: string, servers: readonly Server[]): Promise<Case[]> {
  const small = fileSet('10k', 10 * KB, 200)
  const large = fileSet('1m', MB, 20)
  for (const files of [small, large]) {
    await place(files, servers.map(byUpload))
    await mustBeEqual(files, servers)
  }
  const reading = async (name: string, files: FileSet, asking: Asking = 'whole'): Promise<Case> => {
    const lists = new Map<Server, string>()
    for (const server of servers) {
      const list = join(folder, `${server.name}-${name.replace(/\W+/g, '-')}.txt`)
      lists.set(server, await writeTargets(list, files, server, asking))
    }
    const bytes = asking === 'confirmed' ? HEAD_ONLY : ([files.size, files.size + HEAD] as const)
    return [name, server => runWrk(line, server.port, lists.get(server)!, SECONDS, { bytes })]
  }
  const plan = { size: 10 * KB, parallel: CLIENTS, seconds: SECONDS, uploads: 1e9, paths: 1e9 }
  const cases: Case[] = [
    await reading('GET 10 KB, one file', { ...small, paths: small.paths.slice(0, 1) }),
    await reading('GET 10 KB, 200 files', small),
    await reading('304, 200 files', small, 'confirmed'),
    await reading('GET 1 MB, 20 files', large),
    [
      `upload 10 KB, ${CLIENTS} clients`,
      server => runUpload(server, { ...plan, name: `guard/${crypto.randomUUID()}` }),
    ],
  ]
  return cases.filter(([name]) => new RegExp(options.only).test(name))
}

async function measure(server: Server, [name, run]: Case): Promise<{ perCore: number; perSecond: number }> {
  const cpu = cpuSeconds(server.pid)
  const { perSecond, errors } = await run(server)
  if (errors.length > 0)
    throw new Error(`${name}, ${server.name}: ${errors.join('; ')}\n${server.lastWords()}`)
  return { perSecond, perCore: (perSecond * SECONDS) / (cpuSeconds(server.pid) - cpu) }
}

/** True when nothing was lost. */
async function compare(each: Case, before: Server, now: Server): Promise<boolean> {
  for (const server of [before, now]) await measure(server, each) // both warm
  const rounds: Record<'before' | 'now', Awaited<ReturnType<typeof measure>>>[] = []
  while (rounds.length < ROUNDS)
    rounds.push({ before: await measure(before, each), now: await measure(now, each) })
  const middle = (pick: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(pick), 0.5)
  const share = middle(round => round.now.perCore / round.before.perCore)
  const wall = middle(round => round.now.perSecond / round.before.perSecond)
  const perCore = `${Math.round(middle(round => round.before.perCore))} → ${Math.round(middle(round => round.now.perCore))}`
  console.log(
    `${each[0].padEnd(24)} ${share.toFixed(2)} × per processor second (${perCore}), ${wall.toFixed(2)} × per second`,
  )
  return share >= LEAST
}

function git(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`)
}

async function main(folder: string, other: string): Promise<number> {
  const checkout = join(folder, 'checkout')
  git('worktree', 'add', '--detach', checkout, other)
  // Also when the run is broken off.
  process.on('exit', () =>
    Bun.spawnSync(['git', 'worktree', 'remove', '--force', checkout], { cwd: import.meta.dir }),
  )
  await symlink(join(import.meta.dir, '../node_modules'), join(checkout, 'node_modules'))
  const theirs = (await import(join(checkout, 'bench/server.ts'))) as { startFundus: typeof startFundus }
  console.log(`This checkout (${commit()}) beside ${other}; above 1 this checkout is better.`)
  const before = { ...(await theirs.startFundus(folder, line)), name: 'before' }
  const now = { ...(await startFundus(folder, line)), name: 'now' }
  try {
    let kept = true
    for (const each of await prepareCases(folder, [before, now]))
      kept = (await compare(each, before, now)) && kept
    return kept ? 0 : 1
  } finally {
    await Promise.all([before.stop(), now.stop()])
  }
}

await needTools()
const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'fundus-guard-'))
let code = 1
try {
  code = await main(folder, positionals[0] ?? 'main')
} finally {
  await rm(folder, { recursive: true, force: true })
}
// Connections that are kept alive would hold the process.
process.exit(code)
