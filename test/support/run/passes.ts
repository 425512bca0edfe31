/** Runs the passes of a mode, each with its own `bun test`, and passes their reports to the summary. */
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { MODE_VARIABLE } from '../modes.ts'
import { ALL_NEEDS } from '../needs.ts'
import { RUN_VARIABLE } from '../shared-parts.ts'
import { windowsRun } from '../windows.ts'
import { namedTests, notRun } from './coverage.ts'
import type { Pass } from './modes.ts'
import { type Outcome, readOutcome, testsOfReport } from './report.ts'
import type { createSummary } from './summary.ts'

/**
 * The duration of each file, so that the longest begin first; `npm test -- --update-timings` writes it anew.
 */
const TIMINGS = '--timings=test/timings.json'

/** `partsUrl`: the address that provides the shared parts. */
export function createPasses({
  isStrict,
  folder,
  partsUrl,
  summary,
}: {
  isStrict: boolean
  folder: string
  partsUrl: string
  summary: ReturnType<typeof createSummary>
}) {
  /**
   * Two more than there are cores: tests wait about half of their time, for disks, other processes and pages.
   * Under Wine they do not, and are slower anyway.
   */
  const workers = Math.min(availableParallelism() + (windowsRun() ? 0 : 2), 4)
  let reports = 0
  // Ctrl+C reaches the tests too; the shared parts are ended after them.
  let running: Bun.Subprocess | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => running?.kill(signal))

  // Not isolated: a worker loads shared modules once, not for each file. `npm test -- --isolate` shows
  // whether a file passes or fails only because of another. Every failure counts: no file runs a second time.
  async function runTests({ args, environment }: Pass): Promise<Outcome> {
    const report = join(folder, `report-${++reports}.xml`)
    const options = [`--parallel=${workers}`, '--no-isolate', '--timeout=180000', TIMINGS]
    const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
    const tests = Bun.spawn([process.execPath, 'test', ...options, ...reporter, ...args], {
      env: {
        ...(process.stderr.isTTY && { FORCE_COLOR: '1' }),
        ...process.env,
        ...environment,
        [RUN_VARIABLE]: partsUrl,
      },
      stdio: ['inherit', 'inherit', 'pipe'],
    })
    running = tests
    let shown = ''
    for await (const chunk of tests.stderr) {
      process.stderr.write(chunk)
      shown = (shown + Buffer.from(chunk).toString()).slice(-2000)
    }
    return readOutcome({
      code: await tests.exited,
      shown: Bun.stripANSI(shown),
      xml: existsSync(report) ? readFileSync(report, 'utf8') : '',
    })
  }

  /** Tests that docs/coverage.md names and that did not run. */
  function missingTests({ xml, lacking, skipped }: Outcome, covers: NonNullable<Pass['covers']>): string[] {
    // Files of which this machine could not run everything were named already.
    const excused = new Set(isStrict ? [] : [...lacking, ...skipped].map(({ file }) => file))
    const named = namedTests(readFileSync('docs/coverage.md', 'utf8'))
    return notRun(named, testsOfReport(xml), file => covers(file) && !excused.has(file))
  }

  return {
    /** Returns the exit code. */
    async run(pass: Pass): Promise<number> {
      const { name = '', tools = [] } = isStrict ? {} : (pass.optional ?? {})
      const lacked = tools.filter(tool => ALL_NEEDS.some(need => need.tool === tool && !need.isThere()))
      if (lacked.length > 0) {
        summary.leaveOut(name, lacked)
        return 0
      }
      const outcome = await runTests(pass)
      // What another mode or a name pattern leaves out says nothing about this machine.
      const isPart = pass.args.includes('-t') || windowsRun() || pass.environment?.[MODE_VARIABLE]
      summary.add(isPart ? { ...outcome, skipped: [] } : outcome)
      const missing = pass.covers ? missingTests(outcome, pass.covers) : []
      summary.complain(missing.map(each => `docs/coverage.md names a test that did not run: ${each}`))
      const code = !isStrict && outcome.onlyLacked ? 0 : outcome.code
      return code || (missing.length > 0 ? 1 : 0)
    },
    /** Another run of test/run.ts; returns the exit code. */
    runNext(args: readonly string[]): Promise<number> {
      running = Bun.spawn([process.execPath, 'test/run.ts', ...args], {
        stdio: ['inherit', 'inherit', 'inherit'],
      })
      return running.exited
    },
  }
}
