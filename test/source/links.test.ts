/**
 * Every relative link in a Markdown file of the repository leads to an existing file and, if it names one, an
 * existing heading.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'

const REPOSITORY = join(import.meta.dir, '../..')

/** Top-level folders without documents of ours. */
const FOREIGN = ['.git', 'dist', 'node_modules', 'data']

const documents = readdirSync(REPOSITORY, { withFileTypes: true })
  .flatMap(entry => {
    if (entry.isFile()) return entry.name.endsWith('.md') ? [entry.name] : []
    if (FOREIGN.includes(entry.name)) return []
    const inside = new Glob('**/*.md').scanSync({ cwd: join(REPOSITORY, entry.name), dot: true })
    return [...inside].map(file => `${entry.name}/${file}`)
  })
  .filter(file => !file.includes('node_modules/') && !file.startsWith('release/out/'))
  .sort()

const FENCED = /^```[\s\S]*?^```/gm
const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g
/** Files that only an archive contains, because they are generated with it. */
const ARCHIVE_ONLY = /^licenses\//

/** Links as `path#heading` whose target does not exist. */
async function brokenLinks(file: string, text: string): Promise<string[]> {
  // The README of an archive is at the top of that archive.
  const folder = file.startsWith('release/') ? '' : dirname(file)
  const broken: string[] = []
  for (const [, path = '', heading] of text.replace(FENCED, '').matchAll(LINK)) {
    if (ARCHIVE_ONLY.test(path)) continue
    const target = join(REPOSITORY, path === '' ? file : join(folder, path))
    const isBroken =
      !existsSync(target) || (heading && !headingsOf(await Bun.file(target).text()).has(heading))
    if (isBroken) broken.push(heading ? `${path}#${heading}` : path)
  }
  return broken
}

/**
 * Anchors as GitHub generates them: lower case, without punctuation, spaces as dashes, repeated ones
 * numbered.
 */
function headingsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, title = ''] of text.replace(FENCED, '').matchAll(/^#+ (.+)$/gm)) {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let unique = anchor
    for (let at = 1; anchors.has(unique); at++) unique = `${anchor}-${at}`
    anchors.add(unique)
  }
  return anchors
}

test.each(documents)('%s', async file => {
  expect(await brokenLinks(file, await Bun.file(join(REPOSITORY, file)).text())).toEqual([])
})

test('all folders with documents are looked at', () => {
  for (const folder of ['.github/', 'bench/', 'clients/', 'docs/decisions/', 'docs/operations/', 'release/'])
    expect(documents.some(file => file.startsWith(folder))).toBe(true)
})

describe('a link that leads nowhere is found', () => {
  test.each([
    ['a missing file', '[a](gone.md)', ['gone.md']],
    ['a missing heading', '[a](api.md#gone)', ['api.md#gone']],
    ['a file and a heading that are there', '[a](api.md#the-api)', []],
    ['another place', '[a](https://example.org/gone)', []],
    ['an example in code', '```md\n[a](gone.md)\n```', []],
  ])('%s', async (_, text, broken) => {
    expect(await brokenLinks('docs/x.md', text)).toEqual(broken)
  })

  test('headings: repeated ones are numbered, remarks in commands are none', () => {
    const text = '# `a` & b\n## Ü_b\n## Ü_b\n```sh\n# remark\n```\n'
    expect([...headingsOf(text)]).toEqual(['a--b', 'ü_b', 'ü_b-1'])
  })
})
