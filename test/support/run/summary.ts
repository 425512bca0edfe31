/** The last lines of a run, which people read: what failed, and what this machine could not run. */
import { ALL_NEEDS, packagesOf } from '../needs.ts'
import type { Outcome } from './report.ts'

export function createSummary({ isStrict, seed }: { isStrict: boolean; seed: string }) {
  const failures: string[] = []
  const lacking: Outcome['lacking'] = []
  const skipped: Outcome['skipped'] = []
  const leftOut: { what: string; tools: readonly string[] }[] = []

  function notRunLines(): string[] {
    const byTool = Object.groupBy(lacking, ({ tool }) => tool)
    return [
      ...Object.entries(byTool).map(([tool, tests = []]) => {
        const use = ALL_NEEDS.find(need => need.tool === tool)?.use ?? ''
        const reason = /which (did not start: .*)/.exec(tests[0]?.reason ?? '')?.[1] ?? 'is not installed'
        return `  ${tests.length} ${tests.length === 1 ? 'test' : 'tests'} ${use}: ${tool} ${reason}`
      }),
      ...leftOut.map(({ what, tools }) => `  ${what}: ${tools.join(' and ')} not installed`),
      ...skipped.map(({ file, name }) => `  ${file}: ${name}`),
    ]
  }

  return {
    add(outcome: Outcome) {
      const told = isStrict ? [...outcome.failed, ...outcome.lacking] : outcome.failed
      failures.push(...told.map(({ file, name, reason }) => `FAILED: ${file}: ${name}\n${reason}`))
      if (outcome.hadErrors) failures.push('FAILED outside of any test: see "Unhandled error" above')
      if (!isStrict) lacking.push(...outcome.lacking)
      skipped.push(...outcome.skipped)
    },
    /** Adds files that were not even begun, because these tools are missing. */
    leaveOut(what: string, tools: readonly string[]) {
      leftOut.push({ what, tools })
    },
    complain(about: readonly string[]) {
      failures.push(...about)
    },
    tell(code: number) {
      if (failures.length > 0) console.error(`\n${failures.join('\n\n')}\n\nRepeat with ${seed}`)
      const lines = notRunLines()
      if (lines.length === 0) return
      const tools = [...lacking.map(({ tool }) => tool), ...leftOut.flatMap(each => each.tools)]
      const needs = ALL_NEEDS.filter(({ tool }) => tools.includes(tool))
      console.info(`\nNot run, because this machine lacks something:\n${lines.join('\n')}`)
      if (needs.length > 0)
        console.info(`Install what is missing, on Debian with: sudo apt-get install ${packagesOf(needs)}`)
      if (code === 0) console.info('Everything else passed.')
    },
  }
}
