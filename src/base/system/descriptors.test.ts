import { expect, test } from 'bun:test'
import { descriptorLimit, divideDescriptors } from './descriptors.ts'

test.each([
  [256, 80, 20, 32],
  [1024, 416, 104, 128],
  [20_000, 4096, 1024, 256],
  [Number.POSITIVE_INFINITY, 4096, 1024, 256],
])(
  'of %p descriptors %p are for connections, %p for those of a network, %p for files that stay open',
  (limit, total, perNetwork, maxOpenFiles) => {
    const shared = divideDescriptors(limit)
    expect(shared).toMatchObject({ connections: { total, perNetwork }, maxOpenFiles })
    // A connection may need a file descriptor of its own.
    expect(2 * total + maxOpenFiles + shared.connections.refusals).toBeLessThan(limit)
  },
)

test('there is a limit, which this process is below', () => {
  expect(descriptorLimit()).toBeGreaterThan(64)
})
