/**
 * What EXIF says about how a picture was taken: found in every type, and never an error, whatever the bytes.
 */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type PhotoType, photo } from '../../../test/support/photos.ts'
import { exifBlock } from './exif-block.ts'
import { parseExif } from './exif-facts.ts'

const sourceOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: async (at: number, length: number) => Buffer.from(bytes.subarray(at, at + length)),
})
const factsOf = async (bytes: Uint8Array) => parseExif((await exifBlock(sourceOf(bytes))) ?? new Uint8Array())

describe.each<PhotoType>(['jpeg', 'png', 'webp'])('%s', type => {
  test('time, camera and place', async () => {
    expect(await factsOf(await photo(type))).toEqual({
      takenAt: '2024-05-06T07:08:09',
      camera: 'Kamera-Hersteller Geraet 7',
      place: { latitude: 52.483333, longitude: 13.383333 },
    })
  })

  test('a damaged file is never an error', async () => {
    const whole = await photo(type)
    const damage = fc.record({
      keep: fc.integer({ min: 0, max: whole.length }),
      flips: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ keep, flips }) => {
        const bytes = Buffer.from(whole.subarray(0, keep))
        for (const [at, value] of flips) if (at < bytes.length) bytes[at] = value
        const { place } = await factsOf(bytes)
        if (place) expect(Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

test('any bytes as a block are never an error', () => {
  const orders = fc.constantFrom('II*\0', 'MM\0*', '')
  fc.assert(
    fc.property(orders, fc.uint8Array({ maxLength: 200 }), (order, rest) => {
      parseExif(Buffer.concat([Buffer.from(order, 'latin1'), rest]))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['a JPEG of fill bytes alone', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(5_000_000, 0xff)])],
  [
    'a PNG of a million chunks',
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(12_000_000)]),
  ],
])('%s is given up soon', async (_, bytes) => {
  let reads = 0
  const source = sourceOf(bytes)
  const counted = {
    ...source,
    read(at: number, length: number) {
      reads++
      return source.read(at, length)
    },
  }
  expect(await exifBlock(counted)).toBeNull()
  expect(reads).toBeLessThan(2100)
})
