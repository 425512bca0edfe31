import { expect, test } from 'bun:test'
import { decodersEach } from './options.ts'

test('a process that is alone has three decoders, each of several workers two', () => {
  expect([1, 2, 3, 8].map(decodersEach)).toEqual([3, 2, 2, 2])
})
