/**
 * English documents and their German counterparts match: the same headings, commands and settings, in the
 * same order.
 */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

const FENCE = '```'

/** Remarks in code are translated too; what a shell or a program executes is not. */
const REMARK = /(?:^| +)(?:#|--) .*$/

interface Outline {
  /** The level of each heading, in order. */
  headings: number[]
  /** The content of fenced blocks, without remarks. */
  commands: string[]
  /** Number of rows of each table, so that no row is missing on one side. */
  rows: number
  /** Names of settings and environment variables in the text, each once. */
  settings: string[]
  /** What inline code refers to by name: commands and addresses. */
  calls: string[]
}

const PLACEHOLDER = /<[^>]+>|\[[^\]]+\]/g

export function outlineOf(text: string): Outline {
  const parts = text.split(FENCE)
  const prose = parts.filter((_, at) => at % 2 === 0).join('\n')
  const code = parts.filter((_, at) => at % 2 === 1)
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, each = '']) => each)
  const distinct = (all: string[]) => [...new Set(all)].sort()
  return {
    headings: [...prose.matchAll(/^(#+) /gm)].map(([, signs = '']) => signs.length),
    commands: code
      .flatMap(block => block.split('\n').map(line => line.replace(REMARK, '').trimEnd()))
      .filter(line => line !== ''),
    rows: prose.split('\n').filter(line => line.startsWith('|')).length,
    settings: distinct(inline.filter(each => /^[A-Z][A-Z0-9_]{2,}$/.test(each))),
    calls: distinct(
      inline
        .filter(each => /^(?:fundus|npm|\/api\/|\/metrics)/.test(each))
        .map(each => each.replace(PLACEHOLDER, '<>')),
    ),
  }
}

const twinOf = (name: string) => name.replace(/\.md$/, '.de.md')

const withTwin = [
  'README.md',
  'docs/README.md',
  'docs/compat.md',
  'release/README.md',
  ...new Glob('docs/operations/*.md').scanSync(REPOSITORY),
]
const english = withTwin.filter(name => !name.endsWith('.de.md')).sort()

test.each(english)('%s and its German twin have the same headings, commands and settings', async name => {
  const [text, twin] = await Promise.all(
    [name, twinOf(name)].map(each => Bun.file(join(REPOSITORY, each)).text()),
  )
  expect(outlineOf(twin!)).toEqual(outlineOf(text!))
})

test('every page for operators is in both tables of contents', async () => {
  const pages = english.filter(name => name.startsWith('docs/operations/'))
  for (const index of ['docs/README.md', 'docs/README.de.md']) {
    const text = await Bun.file(join(REPOSITORY, index)).text()
    const listed = pages.map(name => (index.endsWith('.de.md') ? twinOf(name) : name).replace(/^docs\//, ''))
    expect(listed.filter(name => !text.includes(`](${name})`))).toEqual([])
  }
  expect(pages.length).toBeGreaterThan(5)
})

describe('what differs is found', () => {
  const ENGLISH = '# A\n\n## B\n\n| a | `PORT` |\n\n```sh\nnpm start # begins\n```\n'
  test.each([
    ['a heading', ENGLISH.replace('## B', '### B')],
    ['a command', ENGLISH.replace('npm start', 'npm run start')],
    ['a setting', ENGLISH.replace('PORT', 'HOST')],
    ['a row', ENGLISH.replace('`PORT` |', '`PORT` |\n| b | c |')],
  ])('%s', (_, other) => {
    expect(outlineOf(other)).not.toEqual(outlineOf(ENGLISH))
  })

  test('a translated remark is no difference', () => {
    expect(outlineOf(ENGLISH.replace('begins', 'beginnt'))).toEqual(outlineOf(ENGLISH))
  })
})
