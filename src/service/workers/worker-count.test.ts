import { expect, test } from 'bun:test'
import { workerCount } from './worker-count.ts'

const GIGABYTE = 1024 ** 3
const machine = { canSharePort: true, cores: 4, memory: 16 * GIGABYTE }

test.each([
  ['a number is taken as it is', 3, machine, 3],
  ['also more than there are cores', 12, machine, 12],
  ['auto: the cores', 'auto', machine, 4],
  ['auto: a gigabyte for each', 'auto', { ...machine, memory: 2.5 * GIGABYTE }, 2],
  ['auto: at least one', 'auto', { ...machine, memory: 0.4 * GIGABYTE }, 1],
  ['auto: eight at the most', 'auto', { ...machine, cores: 64, memory: 256 * GIGABYTE }, 8],
  ['one where a port cannot be shared', 3, { ...machine, canSharePort: false }, 1],
] as const)('%s', (_, workers, on, count) => {
  expect(workerCount({ workers }, on)).toBe(count)
})
