import { expect, test } from 'bun:test'
import { formatImportTable, type ImportOutput, type ImportRow, SQL_TEMPLATE } from './import-table.ts'

const ROWS: ImportRow[] = [
  { from: "https://a/o'x.png", to: 'https://n/f/o-x.png', path: 'o-x.png', status: 'sent' },
  { from: 'https://a/$&.png', to: 'https://n/f/b.png', path: 'b.png', status: 'present' },
  { from: 'c\\d.png', to: 'https://n/f/c-d.png', path: 'c-d.png', status: 'sent' },
  { from: 'https://a/e.png', path: 'e.png', status: 'failed', why: 'Weg.' },
  { from: 'https://a/f.png', to: 'https://n/f/f.png', path: 'f.png', status: 'kept' },
]
const table = (output: ImportOutput) => formatImportTable(ROWS, output, { template: SQL_TEMPLATE })

test('SQL: quotes doubled, nothing in an address is a pattern, a backslash is left to a person', async () => {
  expect((await table('sql')).split('\n')).toEqual([
    "UPDATE your_table SET your_column = 'https://n/f/o-x.png' WHERE your_column = 'https://a/o''x.png';",
    "UPDATE your_table SET your_column = 'https://n/f/b.png' WHERE your_column = 'https://a/$&.png';",
    '-- c\\d.png',
  ])
})

test('only what moved has a new address; JSON tells of the others too', async () => {
  expect((await table('text')).split('\n')).toHaveLength(3)
  expect((await table('csv')).split('\r\n')).toHaveLength(4)
  expect(JSON.parse(await table('json'))).toEqual(ROWS)
})
