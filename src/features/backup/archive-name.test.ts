import { expect, test } from 'bun:test'
import { archiveName, parseArchiveName } from './archive-name.ts'

const at = new Date(2026, 10, 15, 3, 30, 5).getTime()

test.each([
  ['fundus-2026-11-15-033005.tar', { complete: true }],
  ['fundus-2026-11-15-033005-unvollstaendig.tar', { complete: false }],
  ['fundus-2026-11-15-033005-2.tar', { complete: true, again: 2 }],
  ['fundus-2026-11-15-033005-1-unvollstaendig.tar', { complete: false, again: 1 }],
])('%s', (name, options) => {
  expect(archiveName(at, options)).toBe(name)
  expect(parseArchiveName(name)).toEqual({ name, at, complete: options.complete })
})

test.each([
  'fundus.tar',
  'fundus-2026-11-15-033005.tar.gz',
  'fundus-2026-11-15-033005.tar.teil',
  '.fundus-2026-11-15-033005.tar',
  'meine-fundus-2026-11-15-033005.tar',
  'fundus-2026-99-15-033005.tar',
  'fundus-2026-11-15-033005-alt.tar',
])('%s is none of ours', name => expect(parseArchiveName(name)).toBeNull())
