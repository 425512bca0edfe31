import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { pathOf } from '../../url-parts.ts'
import { ByteCollector, compactBytes, compactText } from './memory.ts'

const longText = (at: number) => Buffer.alloc(100_000, `${at} `).toString('latin1')
const memory = (bytes: Uint8Array) => bytes.buffer.byteLength

describe('what is kept of a larger buffer', () => {
  test('is copied when it is less than half of it', () => {
    const large = Buffer.alloc(500_000, 'x')
    expect(memory(compactBytes(large.subarray(7, 8)))).toBe(1)
    expect(compactBytes(large.subarray(7, 8)).toString()).toBe('x')
  })

  test('stays as it is when it is most of it', () => {
    const large = new Uint8Array(1000)
    const most = large.subarray(100)
    expect(compactBytes(most)).toBe(most)
  })

  test.each<[string, (at: number) => string]>([
    ['a text', at => compactText(longText(at).slice(10, 60), longText(at))],
    ['the path of an address with a long query', at => pathOf(`http://host/f/${at}?${longText(at)}`)],
  ])('does not hold what it was cut from: %s', (_, keep) => {
    const kept: string[] = []
    const before = process.memoryUsage().rss
    for (let at = 0; at < 3000; at++) kept.push(keep(at))
    Bun.gc(true)
    expect(kept.every(text => text.length <= 50)).toBe(true)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })
})

describe('gathered bytes', () => {
  test('are those that came, in memory of at most about twice their length', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 60 })
    const property = fc.property(pieces, sent => {
      const gatherer = new ByteCollector()
      for (const piece of sent) gatherer.add(piece)
      const { length } = gatherer
      const all = gatherer.take()
      expect(Buffer.from(all).equals(Buffer.concat(sent))).toBe(true)
      expect([all.length, gatherer.length]).toEqual([length, 0])
      expect(memory(all)).toBeLessThanOrEqual(2 * all.length)
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('are not those of the next time', () => {
    const gatherer = new ByteCollector()
    gatherer.add(Buffer.from('one'))
    const one = gatherer.take()
    gatherer.add(Buffer.from('two'))
    gatherer.add(Buffer.from('three'))
    expect([Buffer.from(one).toString(), Buffer.from(gatherer.take()).toString()]).toEqual([
      'one',
      'twothree',
    ])
  })
})
