import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { randomBytes } from '../../../test/support/bytes.ts'
import { useFolder } from '../../../test/support/folder.ts'
import { type PhotoType, PLACE_MARKS, photo } from '../../../test/support/photos.ts'
import { writeWithoutMetadata } from './metadata.ts'

const root = await useFolder()
const file = join(root, 'picture')

/** The bytes without metadata; null when the file is left as it is. */
async function stripped(bytes: Uint8Array): Promise<Buffer | null> {
  await writeFile(file, bytes)
  const out: Uint8Array[] = []
  const isRewritten = await writeWithoutMetadata(file, async chunk => void out.push(Buffer.from(chunk)))
  return isRewritten ? Buffer.concat(out) : null
}

/** Decoded as it lies in the file, all frames, and what else decides how it looks. */
async function looksOf(bytes: Uint8Array) {
  const picture = sharp(bytes, { animated: true })
  const { orientation = 1, icc, width, height, pages, delay } = await picture.metadata()
  const pixels = (await picture.raw().toBuffer()).toString('base64')
  return { orientation, icc: icc?.toString('base64'), width, height, pages, delay, pixels }
}

const TYPES: PhotoType[] = ['jpeg', 'png', 'webp']

describe.each(TYPES)('%s', type => {
  test('pixels, orientation and colour profile before = after; place and camera are gone; a second time changes nothing', async () => {
    const cases = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
      orientation: fc.integer({ min: 1, max: 8 }),
      profile: fc.boolean(),
      progressive: fc.boolean(),
      seed: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(cases, async options => {
        const before = await photo(type, options)
        expect(PLACE_MARKS.filter(mark => !before.includes(mark))).toEqual([])
        const after = (await stripped(before))!
        expect(await looksOf(after)).toEqual(await looksOf(before))
        expect(PLACE_MARKS.filter(mark => after.includes(mark))).toEqual([])
        const { xmp, iptc, comments } = await sharp(after).metadata()
        expect({ xmp, iptc, comments }).toEqual({ xmp: undefined, iptc: undefined, comments: undefined })
        expect(await stripped(after)).toBeNull()
      }),
      { numRuns: 25 },
    )
  })

  test('a file without metadata is left as it is', async () => {
    const plain = await sharp({ create: { width: 9, height: 7, channels: 3, background: '#123456' } })
      [type]()
      .toBuffer()
    expect(await stripped(plain)).toBeNull()
  })

  test('a damaged file is never an error, and nothing is added to it', async () => {
    const whole = await photo(type, { orientation: 6 })
    const damage = fc.record({
      keep: fc.integer({ min: 0, max: whole.length }),
      flips: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ keep, flips }) => {
        const bytes = Buffer.from(whole.subarray(0, keep))
        for (const [at, value] of flips) if (at < bytes.length) bytes[at] = value
        const after = await stripped(bytes)
        expect((after ?? bytes).length).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: 150 },
    )
  })
})

test('what lies behind the end of a JPEG goes too: further pictures have a place of their own', async () => {
  const one = await photo('jpeg', {})
  const after = (await stripped(Buffer.concat([one, one])))!
  expect(after.equals((await stripped(one))!)).toBe(true)
})

test('an animated WebP keeps its frames and their times', async () => {
  const frames = Buffer.from(randomBytes(1, 8 * 24 * 3))
  const raw = { width: 8, height: 24, channels: 3, pageHeight: 8 } as const
  const before = await sharp(frames, { raw })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${PLACE_MARKS[0]}</x:xmpmeta>`)
    .webp({ delay: [100, 200, 300], lossless: true })
    .toBuffer()
  const after = (await stripped(before))!
  expect(await looksOf(after)).toEqual(await looksOf(before))
  expect((await looksOf(after)).pages).toBe(3)
  expect(after.includes(PLACE_MARKS[0]!)).toBe(false)
})

test.each([
  ['nothing', ''],
  ['text', 'Ein Text über Exif und GPS'],
  ['only a beginning', '\xff\xd8\xff'],
  ['a GIF', 'GIF89a....'],
])('%s is left as it is', async (_, text) => {
  expect(await stripped(Buffer.from(text, 'latin1'))).toBeNull()
})

test('a file of a million chunks is left as it is, and soon', async () => {
  const chunk = Buffer.from([0, 0, 0, 0, ...Buffer.from('abCd'), 0, 0, 0, 0])
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.alloc(chunk.length * 1_000_000, chunk),
  ])
  expect(await stripped(bytes)).toBeNull()
})
