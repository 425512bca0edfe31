import { expect, test } from 'bun:test'
import { createFairQueue } from './fair-queue.ts'

const all = () => true

function filled(...items: string[]) {
  const queue = createFairQueue<string>()
  for (const item of items) queue.add(item[0]!, item)
  return queue
}

function takeAll(queue: ReturnType<typeof filled>, mayTake: (item: string, client: string) => boolean = all) {
  const order: string[] = []
  for (let next = queue.take(mayTake); next; next = queue.take(mayTake)) order.push(next.item)
  return order
}

test('clients take turns; what one of them has keeps its order', () => {
  expect(takeAll(filled('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'))).toEqual([
    ...['a1', 'b1', 'c1'],
    ...['a2', 'b2', 'a3', 'a4'],
  ])
})

test('whoever comes later waits for one turn of the others, not for all that they have', () => {
  const queue = filled('a1', 'a2', 'a3')
  queue.take(all)
  queue.add('b', 'b1')
  expect(takeAll(queue)).toEqual(['a2', 'b1', 'a3'])
})

test('what may not be done now is passed over and stays', () => {
  const queue = filled('a1', 'a2', 'b1', 'b2')
  expect(takeAll(queue, item => item.endsWith('2'))).toEqual(['a2', 'b2'])
  expect(takeAll(queue, (_, client) => client === 'b')).toEqual(['b1'])
  expect(queue.drain()).toEqual(['a1'])
  expect(queue.take(all)).toBeUndefined()
})

test('an item is there once, and can be taken out', () => {
  const queue = filled('a1', 'a1', 'b1')
  expect([queue.countOf('a'), queue.has('a1'), queue.has('x')]).toEqual([1, true, false])
  expect([queue.remove('a1'), queue.remove('a1')]).toEqual(['a', undefined])
  expect([queue.countOf('a'), takeAll(queue)]).toEqual([0, ['b1']])
})
