/** The table of docs/http.md, from the cases and the observed behaviour of the other servers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RequestCase, SECTIONS, type Section } from './cases.ts'
import { decisionOf } from './outcome.ts'
import { PEERS, type PeerName } from './peers.ts'

export const OBSERVED_FILE = join(import.meta.dir, 'observed.json')
export const DOCUMENT = join(import.meta.dir, '../../../docs/http.md')

export interface Observed {
  versions: Partial<Record<PeerName, string>>
  outcomes: Partial<Record<PeerName, Record<string, string>>>
}

export const readObserved = (): Observed => JSON.parse(readFileSync(OBSERVED_FILE, 'utf8'))

/** Names are unique only within their section. */
export const keyOf = (section: Section, { name }: RequestCase) => `${section.title}: ${name}`

const START = '<!-- from here on written by test/conformance/http-requests.test.ts -->\n'

export function documentWith(text: string, observed: Observed): string {
  const head = text.slice(0, text.indexOf(START) + START.length)
  return `${head}\n${SECTIONS.map(section => sectionText(section, observed)).join('\n\n')}\n`
}

function sectionText(section: Section, observed: Observed): string {
  const { title, why, cases } = section
  const rows = cases.map(each => ({
    each,
    outcomes: [each.ours, ...PEERS.map(peer => outcomeIn(observed, peer, section, each))],
  }))
  const different = rows.filter(({ outcomes }) => new Set(outcomes.map(decisionOf)).size > 1)
  const agreed = rows.filter(row => !different.includes(row)).map(({ each }) => each)
  const paragraphs = [
    listOf('All four accept', agreed, ours => /^[A-Z]/.test(ours)),
    listOf('All four refuse', agreed, ours => /^\d/.test(ours)),
    listOf('All four wait for more', agreed, ours => ours === 'waits'),
    why === undefined ? '' : `Where we differ and the row does not say why: ${why}`,
    [
      `| Request | Fundus | ${PEERS.map(peer => `${peer} ${observed.versions[peer]}`).join(' | ')} | Why we differ |`,
      '|---|---|---|---|---|---|',
      ...different.map(
        ({ each, outcomes }) => `| ${[each.name, ...cellsOf(outcomes), each.why ?? ''].join(' | ')} |`,
      ),
    ].join('\n'),
  ]
  return [`## ${title}`, ...paragraphs.filter(text => text !== '')].join('\n\n')
}

function listOf(title: string, cases: readonly RequestCase[], isListed: (ours: string) => boolean): string {
  const names = cases.filter(({ ours }) => isListed(ours)).map(({ name }) => name)
  return names.length === 0 ? '' : wrapped(`${title}: ${names.join('; ')}.`)
}

/** The line width of the other documents. */
const wrapped = (text: string) => text.replaceAll(/(.{1,130})(?: |$)/g, '$1\n').trimEnd()

/** How a request was read is shown if two servers read it differently. */
function cellsOf(outcomes: readonly string[]): string[] {
  const readings = outcomes.filter(outcome => /^[A-Za-z]+ /.test(outcome))
  const isOneReading = new Set(readings.map(outcome => outcome.replace(/ · .*/, ''))).size < 2
  return outcomes.map(outcome =>
    isOneReading && readings.includes(outcome) ? outcome.replace(/^[^·]*[^· ]/, 'accepts') : cell(outcome),
  )
}

export const outcomeIn = (observed: Observed, peer: PeerName, section: Section, each: RequestCase) =>
  observed.outcomes[peer]?.[keyOf(section, each)] ?? 'unknown'

/** Rows in which another server decides otherwise and no reason is given. */
export const unexplained = (observed: Observed) =>
  SECTIONS.flatMap(section =>
    section.cases
      .filter(each => (each.why ?? section.why) === undefined)
      .filter(each =>
        PEERS.some(peer => decisionOf(outcomeIn(observed, peer, section, each)) !== decisionOf(each.ours)),
      )
      .map(each => keyOf(section, each)),
  )

const cell = (outcome: string) =>
  (/^[\w ·,]+$/.test(outcome) ? outcome : `\`${JSON.stringify(outcome).slice(1, -1)}\``).replaceAll(
    '|',
    '\\|',
  )
