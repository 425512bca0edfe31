/**
 * `bun release/audit.ts`: asks npm's registry for known holes in the packages that are shipped. Ends with 1
 * for one that is high or critical. A registry that does not answer is reported and fails nothing.
 */

interface Hole {
  name: string
  severity: string
  range: string
  via: (string | { title: string; url: string })[]
}
interface Audit {
  vulnerabilities?: Record<string, Hole>
  /** In place of the above, where the registry did not answer. */
  message?: string
  error?: { summary?: string }
}

const GRAVE = ['high', 'critical']

/** `text`: what `npm audit --json` printed. */
export function judged(text: string): { code: number; lines: string[] } {
  const { vulnerabilities, message, error } = parsed(text)
  if (!vulnerabilities)
    return { code: 0, lines: [`Known holes were NOT checked: ${message ?? error?.summary ?? 'npm failed'}`] }
  const holes = Object.values(vulnerabilities)
  if (holes.length === 0) return { code: 0, lines: ['No known hole in the packages that are shipped.'] }
  const lines = holes.map(({ name, severity, range, via }) => {
    const causes = via.map(each => (typeof each === 'string' ? `by ${each}` : `${each.title} ${each.url}`))
    return `${severity}: ${name} ${range}: ${causes.join('; ')}`
  })
  return { code: holes.some(({ severity }) => GRAVE.includes(severity)) ? 1 : 0, lines }
}

function parsed(text: string): Audit {
  try {
    return JSON.parse(text) as Audit
  } catch {
    return { message: text.trim().split('\n')[0] || 'npm printed nothing' }
  }
}

if (import.meta.main) {
  const command = ['npm', 'audit', '--json', '--omit=dev', '--fetch-retries=1', '--fetch-timeout=30000']
  const { code, lines } = judged(Bun.spawnSync(command, { stderr: 'ignore' }).stdout.toString())
  console.info(lines.join('\n'))
  process.exit(code)
}
