/** What `bun test` reported in the form of JUnit: which tests ran, and which failed. */

interface ReportedTest {
  file: string
  name: string
  /** What stands inside of the test: nothing, its failure, or that it was skipped. */
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

/** The names of the tests that ran, by file. What was skipped did not run. */
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
