/**
 * No name from outside indexes a plain object: `__proto__` and `constructor` would find what every object
 * inherits, or change it. Such names are looked up with `ownValue` or in a `Map`.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { openFolder } from '../support/folder.ts'
import { openLookups } from './records.ts'

setDefaultTimeout(180_000)

/** Reviewed places: the names are our own, whatever the types say. */
const REVIEWED = [
  // Names that the same file or its caller spells out
  'dashboard/src/state/use-search-state.ts: state[name]',
  'dashboard/src/files/gallery/use-card-events.ts: events[name]',
  'dashboard/src/pages/history/sentence-line.tsx: values[piece.placeholder]',
  'src/http/answers/stepped-answer.ts: joinedLists[name]',
  // The only place that checks whether the record itself has the name
  'src/contract/values/own-value.ts: record[name]',
  // Columns of our tables, and parameters of our statements
  'src/database/compile-once.ts: values[parameter.name as keyof Values]',
  'src/database/postgres/dialect.ts: row[column]',
  'src/features/backup/archive/tables.ts: lastRow[column]',
  'src/features/backup/archive/tables.ts: row[column]',
  'src/features/media/check-file-row.ts: row[column]',
  // Names of filters, written by us
  'dashboard/src/files/filters/chips.tsx: NO_FILTERS[name]',
  'dashboard/src/files/filters/chips.tsx: search[name]',
  // Fields of a log line, written by us
  'src/base/log.ts: fields[key]',
]

test('no name from outside indexes a plain object', async () => {
  expect(await openLookups()).toEqual(REVIEWED.toSorted())
})

test('this test would find it, and is content with what is closed', async () => {
  await using folder = await openFolder()
  const write = (name: string, text: string) => Bun.write(join(folder.path, name), text)
  await write('tsconfig.json', JSON.stringify({ compilerOptions: { strict: true }, include: ['src'] }))
  await write(
    'src/a.ts',
    `
    const words: Record<string, string> = { a: 'x' }
    const list = [1, 2]
    type Name = 'a' | 'b'
    export const found = (name: string, maybe: string | undefined, any: any) =>
      [words[name], words[maybe ?? ''], words[any], words['a' + name], name in words, words[name as Name]]
    export function changed(name: string) { words[name] = 'y'; delete words[name] }
    export const closed = (name: Name, at: number, open: Map<string, string>) =>
      [words.a, words['a'], words[name], list[at], 'a' in words, open.get(name)]
    `,
  )
  expect(await openLookups(folder.path, [''])).toEqual([
    'src/a.ts: name in words',
    "src/a.ts: words['a' + name]",
    'src/a.ts: words[any]',
    "src/a.ts: words[maybe ?? '']",
    'src/a.ts: words[name as Name]',
    'src/a.ts: words[name]',
  ])
})
