/**
 * Finds every regular expression of the source with a parser, and generates texts that make a careless one
 * slow.
 */
import { join } from 'node:path'
import { Glob } from 'bun'
import fc from 'fast-check'
import { parseAst } from 'vite'

export interface FoundExpression {
  /** File and line: `src/http/answers/csv.ts:18`. */
  place: string
  /** Null: built from text at run time, so it cannot be checked beforehand. */
  expression: RegExp | null
}

const REPOSITORY = join(import.meta.dir, '../..')
const isTest = (file: string) => file.endsWith('.test.ts') || file.includes('/testing/')

export async function expressionsOfSource(): Promise<FoundExpression[]> {
  const found: FoundExpression[] = []
  for (const file of [...new Glob('src/**/*.ts').scanSync(REPOSITORY)].sort()) {
    if (!isTest(file)) found.push(...expressionsIn(await Bun.file(join(REPOSITORY, file)).text(), file))
  }
  return found
}

interface SyntaxNode {
  type: string
  start: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

/** Regular expression literals, and calls that build an expression from text. */
export function expressionsIn(source: string, file: string): FoundExpression[] {
  const found: FoundExpression[] = []
  const placeOf = (node: SyntaxNode) => `${file}:${source.slice(0, node.start).split('\n').length}`
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as SyntaxNode
    if (node.regex)
      found.push({ place: placeOf(node), expression: new RegExp(node.regex.pattern, node.regex.flags) })
    if (node.callee?.name === 'RegExp') found.push({ place: placeOf(node), expression: null })
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(source, { lang: 'ts' }).body)
  return found
}

const ATTACK_LENGTH = 16 * 1024

/** Characters that represent the classes an expression may name. */
const CHARACTERS = [...'aA0 \t\n"\'\\/.,;:=-_~%<[]*&', 'é', '\u2028']

/** Number of random matching texts (always the same ones), of which the shortest few are used. */
const DRAWN = 12
const USED = 3

/** A character that no expression expects: after a repetition it makes the matcher backtrack. */
const SURPRISE = '\0'

/**
 * Texts of 16 KB: each character repeated; and texts that match the expression, with a character inserted
 * repeatedly at every place, or with a part of the match repeated, and `SURPRISE` at the end. A matcher that
 * has two ways to read the repetition tries them all.
 */
export function* attacksOn(expression: RegExp): Generator<string> {
  for (const character of CHARACTERS)
    for (const end of ['', SURPRISE, 'x', '\n']) yield repeat(character) + end
  for (const sample of samplesOf(expression)) {
    for (let at = 0; at <= sample.length; at++) {
      const [before, behind] = [sample.slice(0, at), sample.slice(at)]
      const present = [behind.slice(0, 1), behind.slice(0, 2), behind].filter(unit => unit !== '')
      for (const unit of new Set([...CHARACTERS, ...present]))
        for (const end of [behind, '']) yield before + repeat(unit) + end + SURPRISE
    }
  }
}

const repeat = (unit: string) => unit.repeat(Math.ceil(ATTACK_LENGTH / unit.length))

function samplesOf(expression: RegExp): string[] {
  const drawn = fc.sample(fc.stringMatching(plain(expression), { size: 'xsmall' }), {
    numRuns: DRAWN,
    seed: 1,
  })
  return [...new Set(drawn)].sort((one, other) => one.length - other.length).slice(0, USED)
}

/**
 * Simplifies an expression for the generator of matching texts: no flags, ordinary characters in place of
 * Unicode's, and lookaheads as if they were part of the text.
 */
const plain = ({ source }: RegExp) =>
  new RegExp(
    source
      .replaceAll(/\\p\{C.\}/g, '\\x01')
      .replaceAll(/\\p\{.\}/g, 'aé0!')
      .replaceAll('[^\\0-\\x7f]', 'é')
      .replaceAll('(?!\\n)', '')
      .replaceAll('(?=', '(?:'),
  )

const TRIES = 20

/**
 * Whether some work takes as long as `limit` milliseconds, both in elapsed and in processor time, because a
 * loaded machine lengthens elapsed time. The garbage collector may interrupt the work too, so it is repeated,
 * unless no interruption could explain the time.
 */
export async function isSlow(work: () => unknown, limit: number): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const [began, used] = [performance.now(), process.cpuUsage()]
    await work()
    const elapsed = performance.now() - began
    if (elapsed < limit) return false
    const { user, system } = process.cpuUsage(used)
    const took = Math.min(elapsed, (user + system) / 1000)
    if (took < limit) return false
    // A few slow attempts may be the garbage collector, which can take that long after other tests of this
    // process.
    if (took > 40 * limit && attempt > 3) return true
  }
  return true
}
