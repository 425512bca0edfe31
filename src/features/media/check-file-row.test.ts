import { describe, expect, test } from 'bun:test'
import { findInvalidColumn, validateRow } from './check-file-row.ts'

const uploaded = {
  ...{ id: '0123456789abcdef', path: 'a/b.png', object: 'files/x', size: 1, sha256: 'f'.repeat(64) },
  ...{ mime: 'image/png', kind: 'bilder', token_id: null, created_at: 1, updated_at: 2, derived: 'pending' },
}
const nothing = { width: null, height: null, duration: null, retrieved_at: null }
const archived = { ...uploaded, ...nothing, nr: 7, retrievals: 3, variant_size: null, preview_size: 5 }
const { derived: _, ...thrownAway } = {
  ...archived,
  media_nr: 7,
  deleted_at: 5,
  deleted_by: 'admin',
  removal_reason: 'frist',
}

test.each([
  ['of an upload', uploaded],
  ['of the library, as an archive has it', archived],
  ['of the trash', thrownAway],
  ['of an empty file', { ...uploaded, size: 0 }],
  ['of a file that was written before 1970', { ...uploaded, created_at: -5 }],
  ['with a column that a later version adds', { ...uploaded, later: 1 }],
])('a row %s is sound', (_name, row) => expect(findInvalidColumn(row)).toBeNull())

describe('a row is refused for', () => {
  test.each<[string, unknown[]]>([
    ['nr', [0, -1, 1.5, '7', 2 ** 53, null]],
    ['id', ['', '../x', 'A'.repeat(16), 'a'.repeat(15), 7, undefined]],
    ['path', ['', '/a', '../a', 'a//b', 'a b', 'x'.repeat(201), 7, undefined]],
    ['size', [-1, 1.5, '1', Number.POSITIVE_INFINITY, null, undefined]],
    ['sha256', ['', 'f'.repeat(63), `${'f'.repeat(63)}\n`, 'F'.repeat(64), null, undefined]],
    ['mime', ['', 'image', 'image/png\r\nX: 1', 'image/€', 7, null, undefined]],
    ['kind', ['video', 'unsinn', '', null, undefined]],
    ['token_id', [7, undefined]],
    ['updated_at', ['now', 1e16, null, undefined]],
    ['retrievals', [-1, '3', null]],
    ['preview_size', [-1, 'x']],
    ['duration', [-0.5, 'x']],
    ['derived', ['later', null]],
    ['removal_reason', ['later', '', null]],
  ])('%s', (column, values) => {
    for (const value of values)
      expect([value, findInvalidColumn({ ...archived, [column]: value })]).toEqual([value, column])
  })
})

test('a wrong row of our own making is not handed on', () => {
  expect(validateRow(uploaded)).toBe(uploaded)
  expect(() => validateRow({ ...uploaded, mime: 'x\ny' })).toThrow(/a\/b\.png.*mime/)
})
