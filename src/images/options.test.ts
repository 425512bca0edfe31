import { expect, test } from 'bun:test'
import { decodersPerWorker } from './options.ts'

test('a process that is alone has three decoders, each of several workers two', () => {
  expect([1, 2, 3, 8].map(decodersPerWorker)).toEqual([3, 2, 2, 2])
})
