/**
 * Lines that fit a screen: comments of the source are wrapped at the formatter's width, which the formatter
 * itself does not do, and Markdown at 160 characters, except tables and fenced commands.
 */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import biome from '../../biome.json'

const REPOSITORY = join(import.meta.dir, '../..')
const COMMENT_WIDTH = biome.formatter.lineWidth
const MARKDOWN_WIDTH = 159

/** Written by commands: `clients/typescript/generate.ts` and `npm run bench -- --save`. */
const GENERATED = ['clients/typescript/openapi.ts', 'bench/RESULTS.md']
/** Whole lines of comments; the formatter handles a comment after code. */
const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)/
/** Cannot be wrapped: it must stand on one line. */
const DIRECTIVE = /^\s*\/\/ (?:biome-ignore|@ts-)/

const longComments = (text: string) =>
  text.split('\n').filter(line => line.length > COMMENT_WIDTH && COMMENT.test(line) && !DIRECTIVE.test(line))

const FENCED = /^```[\s\S]*?^```/gm
const longMarkdown = (text: string) =>
  text
    .replace(FENCED, '')
    .split('\n')
    .filter(line => line.length > MARKDOWN_WIDTH && !line.trimStart().startsWith('|'))

async function linesIn(files: Iterable<string>, long: (text: string) => string[]): Promise<string[]> {
  const found: string[] = []
  for (const file of files) {
    if (GENERATED.includes(file)) continue
    const text = await Bun.file(join(REPOSITORY, file)).text()
    found.push(...long(text).map(line => `${file}: ${line}`))
  }
  return found
}

test('comments are wrapped at the formatter’s width', async () => {
  const folders = ['src', 'dashboard/src', 'dashboard/scripts', 'test', 'bench', 'release', 'clients']
  const patterns = [...folders.map(folder => `${folder}/**/*.{ts,tsx}`), 'dashboard/*.ts']
  const files = patterns.flatMap(pattern => [...new Glob(pattern).scanSync(REPOSITORY)])
  expect(files.length).toBeGreaterThan(500)
  expect(await linesIn(files, longComments)).toEqual([])
})

test('lines of Markdown are shorter than 160 characters', async () => {
  const patterns = ['*.md', '{docs,test,bench,clients}/**/*.md', 'dashboard/*.md']
  const files = patterns.flatMap(pattern => [...new Glob(pattern).scanSync(REPOSITORY)])
  expect(files).toContain('docs/decisions/README.md')
  expect(await linesIn(files, longMarkdown)).toEqual([])
})

test('this test would find them, and leaves code, tables and commands alone', () => {
  const long = 'x'.repeat(160)
  const code = `const a = '${long}'`
  expect(longComments(`// ${long}\n * ${long}\n${code}\n// biome-ignore ${long}`)).toEqual([
    `// ${long}`,
    ` * ${long}`,
  ])
  expect(longMarkdown(`${long}\n| ${long} |\n\`\`\`sh\n${long}\n\`\`\`\n- short`)).toEqual([long])
})
