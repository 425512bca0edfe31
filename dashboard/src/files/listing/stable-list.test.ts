import { expect, test } from 'bun:test'
import { mergeFiles } from './stable-list.ts'

const list = (ids: string) => [...ids].map(id => ({ id }))
const shown = (ids: string, waiting = '') => ({ files: list(ids), waitingIds: [...waiting] })
const text = ({ files, waitingIds }: ReturnType<typeof mergeFiles>) =>
  `${files.map(({ id }) => id).join('')}|${waitingIds.join('')}`

test.each([
  ['a new one in between waits at the end', 'acd', '', 'abcd', 'acdb|b'],
  ['a new one at the beginning too', 'bc', '', 'abc', 'bca|a'],
  ['a new one at the end is where it belongs', 'ab', '', 'abc', 'abc|'],
  ['one that is gone leaves', 'abc', '', 'ac', 'ac|'],
  ['those that wait are remembered', 'acdb', 'b', 'abcde', 'acdbe|be'],
  ['one that waited and went is forgotten', 'acdb', 'b', 'acd', 'acd|'],
  ['nothing new', 'abc', '', 'abc', 'abc|'],
  ['another order of the same files does not move them', 'abc', '', 'cba', 'abc|'],
  ['an empty list is filled', '', '', 'ab', 'ab|'],
])('%s', (_what, before, waiting, fresh, expected) => {
  expect(text(mergeFiles(shown(before, waiting), list(fresh)))).toBe(expected)
})

test('the fields are the new ones', () => {
  const [only] = mergeFiles({ files: [{ id: 'a', size: 1 }], waitingIds: [] }, [{ id: 'a', size: 2 }]).files
  expect(only).toEqual({ id: 'a', size: 2 })
})

test('files of a page that was added do not wait, whatever waits before them', () => {
  const fresh = list('abcdef')
  expect(text(mergeFiles(shown('acb', 'b'), fresh, fresh.slice(3)))).toBe('acbdef|b')
})
