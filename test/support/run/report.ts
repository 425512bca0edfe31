/** Reads the JUnit report of `bun test`: which tests ran, which failed, and which could not run. */
import { lackingTool } from '../tools.ts'

interface ReportedTest {
  file: string
  name: string
  /** The content of the test's element: nothing, its failure, or that it was skipped. */
  inside: string
}

function readReport(xml: string): ReportedTest[] {
  const cases = xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)
  return [...cases].map(([, attributes = '', inside = '']) => ({
    file: attribute(attributes, 'file'),
    name: attribute(attributes, 'name'),
    inside,
  }))
}

const attribute = (text: string, name: string) =>
  plain(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '')

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', '#10': '\n' }
const plain = (text: string) =>
  text.replace(/&(quot|apos|lt|gt|amp|#10);/g, (_, name) => ENTITIES[name] ?? '')

/** The names of the tests that ran, by file. Skipped ones did not run. */
export function testsOfReport(xml: string): Map<string, string[]> {
  const ran = new Map<string, string[]>()
  for (const { file, name, inside } of readReport(xml))
    if (!inside.includes('<skipped')) ran.set(file, [...(ran.get(file) ?? []), name])
  return ran
}

/** The tests that failed, each with the first lines of its reason. */
export function failuresOfReport(xml: string): { file: string; name: string; reason: string }[] {
  return readReport(xml).flatMap(({ file, name, inside }) => {
    const failure = /<failure ([^>]*)/.exec(inside)?.[1]
    if (failure === undefined) return []
    const lines = attribute(failure, 'message').split('\n').filter(Boolean)
    return [{ file, name, reason: lines.slice(0, 6).join('\n') }]
  })
}

interface NamedTest {
  file: string
  name: string
}

export interface Outcome {
  code: number
  xml: string
  failed: (NamedTest & { reason: string })[]
  /** Tests that ended at once because a tool is missing. */
  lacking: (NamedTest & { tool: string; reason: string })[]
  skipped: NamedTest[]
  /**
   * Whether something failed outside of any test, such as a file that cannot be loaded: the report does not
   * say what.
   */
  hadErrors: boolean
  /** Whether the code would be 0 if it were not for tests that lacked a tool. */
  onlyLacked: boolean
}

/**
 * `shown`: the end of the runtime's output, with the number of failures; a crashed worker is mentioned only
 * there.
 */
export function readOutcome({ code, shown, xml }: { code: number; shown: string; xml: string }): Outcome {
  const hadErrors = /^ \d+ errors?$/m.test(shown)
  const all = failuresOfReport(xml).map(each => ({ ...each, tool: lackingTool(each.reason) }))
  const lacking = all.flatMap(({ tool, ...each }) => (tool === null ? [] : [{ ...each, tool }]))
  const counted = Number(/^ (\d+) fail$/m.exec(shown)?.[1])
  return {
    code,
    xml,
    lacking,
    hadErrors,
    failed: all.filter(({ tool }) => tool === null),
    skipped: readReport(xml).filter(({ inside }) => inside.includes('<skipped')),
    onlyLacked: code === 1 && !hadErrors && lacking.length > 0 && lacking.length === counted,
  }
}
