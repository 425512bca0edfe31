import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { randomBytes } from '../../../test/support/bytes.ts'
import { useFolder } from '../../../test/support/folder.ts'
import { isOrdinaryRun } from '../../../test/support/left-out.ts'
import { type PhotoType, PLACE_MARKS, photo } from '../../../test/support/photos.ts'
import { writeWithoutMetadata } from './metadata.ts'

const root = await useFolder()
const file = join(root, 'picture')

/** The bytes without metadata; null if the file is left as it is. */
async function stripped(bytes: Uint8Array): Promise<Buffer | null> {
  await writeFile(file, bytes)
  const out: Uint8Array[] = []
  const isRewritten = await writeWithoutMetadata(file, async chunk => void out.push(Buffer.from(chunk)))
  return isRewritten ? Buffer.concat(out) : null
}

/** Decoded as stored, all frames, with everything else that affects the look. */
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
      { numRuns: isOrdinaryRun ? 10 : 25 },
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

const SECRET = 'what nobody needs to see'
const plainPicture = () =>
  sharp(Buffer.from(randomBytes(3, 12 * 9 * 3)), { raw: { width: 12, height: 9, channels: 3 } })

describe('of a JPEG only what its looks need stays', () => {
  const segment = (marker: number, payload: string) => {
    const head = Buffer.of(0xff, marker, (payload.length + 2) >> 8, (payload.length + 2) & 0xff)
    return Buffer.concat([head, Buffer.from(payload, 'latin1')])
  }
  const withSegments = async (...added: Buffer[]) => {
    const bytes = await plainPicture().jpeg().toBuffer()
    return Buffer.concat([bytes.subarray(0, 2), ...added, bytes.subarray(2)])
  }

  test.each<[string, number, string]>([
    ['a thumbnail in JFXX', 0xe0, `JFXX\0\x10${SECRET}`],
    ['a thumbnail in JFIF', 0xe0, `JFIF\0\x01\x02\0\0\x01\0\x01\x04\x02${SECRET}`],
    ['JFIF that is cut off', 0xe0, `JFIF\0${SECRET.slice(0, 6)}`],
    ['what an old camera wrote', 0xe0, `CIFF\0${SECRET}`],
    ['further pictures', 0xe2, `MPF\0${SECRET}`],
    ['FlashPix', 0xe2, `FPXR\0${SECRET}`],
    ...Array.from({ length: 11 }, (_, at): [string, number, string] => [`APP${at + 3}`, 0xe3 + at, SECRET]),
    ['APP14 of somebody else', 0xee, SECRET],
    ['more than Adobe’s transform', 0xee, `Adobe\0\x64\0\0\0\0\x01${SECRET}`],
    ['APP15', 0xef, SECRET],
    ['a comment', 0xfe, SECRET],
    ...[0xf0, 0xf6, 0xf9, 0xfd].map((marker): [string, number, string] => [
      `the reserved segment ${marker.toString(16)}`,
      marker,
      SECRET,
    ]),
  ])('%s goes', async (_, marker, payload) => {
    const before = await withSegments(segment(marker, payload))
    const after = (await stripped(before))!
    expect(after.includes(payload.slice(-6), 0, 'latin1')).toBe(false)
    const without = await withSegments()
    expect((await looksOf(after)).pixels).toBe((await looksOf(without)).pixels)
    expect(await stripped(after)).toBeNull()
  })

  test('JFIF keeps its density, Adobe its transform', async () => {
    const jfif = segment(0xe0, 'JFIF\0\x01\x02\x01\x01\x2c\x01\x2c\0\0')
    const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\x01')
    const before = await withSegments(jfif, adobe, segment(0xfe, SECRET))
    const after = (await stripped(before))!
    expect(after.equals(await withSegments(jfif, adobe))).toBe(true)
    expect(await looksOf(after)).toEqual(await looksOf(before))
  })

  test('colours in four channels look the same', async () => {
    const cmyk = await plainPicture().toColourspace('cmyk').jpeg().toBuffer()
    const before = Buffer.concat([cmyk.subarray(0, 2), segment(0xfe, SECRET), cmyk.subarray(2)])
    expect(await looksOf((await stripped(before))!)).toEqual(await looksOf(before))
  })
})

describe('of a PNG only what its looks need stays', () => {
  const chunk = (type: string, data: Uint8Array | string) => {
    const named = Buffer.concat([Buffer.from(type), Buffer.from(data as string)])
    const around = Buffer.alloc(8)
    around.writeUInt32BE(named.length - 4, 0)
    around.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)])
  }
  /** After the signature and the first chunk, which is always 25 bytes long. */
  const withChunks = async (...added: Buffer[]) => {
    const bytes = await plainPicture().png().toBuffer()
    return Buffer.concat([bytes.subarray(0, 33), ...added, bytes.subarray(33)])
  }

  test.each(['prVt', 'vpAg', 'caNv', 'orNT', 'iDOT', 'mkBS', 'tEXt', 'tIME', 'caBX', 'dSIG', 'sPLT', 'ABCD'])(
    '%s goes',
    async type => {
      const after = (await stripped(await withChunks(chunk(type, SECRET))))!
      expect(after.equals(await withChunks())).toBe(true)
    },
  )

  test.each<[string, Buffer[]]>([
    ['colours', [chunk('gAMA', Buffer.of(0, 1, 0x86, 0xa0)), chunk('cHRM', new Uint8Array(32).fill(1))]],
    [
      'sRGB and density',
      [chunk('sRGB', Buffer.of(0)), chunk('pHYs', Buffer.of(0, 0, 11, 19, 0, 0, 11, 19, 1))],
    ],
    ['transparency', [chunk('tRNS', new Uint8Array(6))]],
    [
      'significant bits and background',
      [chunk('sBIT', Buffer.of(8, 8, 8)), chunk('bKGD', new Uint8Array(6))],
    ],
    ['high dynamic range', [chunk('cICP', Buffer.of(9, 16, 0, 1)), chunk('cLLI', new Uint8Array(8))]],
    ['frames', [chunk('acTL', Buffer.of(0, 0, 0, 1, 0, 0, 0, 0)), chunk('fcTL', new Uint8Array(26))]],
  ])('%s stay', async (_, kept) => {
    const plain = await withChunks(...kept)
    expect(await stripped(plain)).toBeNull()
    const after = (await stripped(await withChunks(chunk('prVt', SECRET), ...kept)))!
    expect(after.equals(plain)).toBe(true)
    expect((await looksOf(after)).pixels).toBe((await looksOf(plain)).pixels)
  })
})

describe('of a WebP only what its looks need stays', () => {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.from(`${type}\0\0\0\0`)
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
  }
  const file = (...chunks: Buffer[]) =>
    Buffer.concat([chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))])

  test('unknown chunks go, wherever they stand', async () => {
    const before = await photo('webp', {})
    const chunks = before.subarray(12)
    const after = (await stripped(
      file(chunk('ABCD', Buffer.from(SECRET)), chunks, chunk('EFGH', Buffer.from(SECRET))),
    ))!
    expect(after.includes(SECRET)).toBe(false)
    expect(await looksOf(after)).toEqual(await looksOf(before))
  })

  test('also within the frames of an animation', async () => {
    const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const
    const plain = await sharp(Buffer.from(randomBytes(1, 8 * 16 * 3)), { raw })
      .webp({ delay: [100, 200], lossless: true })
      .toBuffer()
    let before = file()
    for (let at = 12; at < plain.length; ) {
      const length = plain.readUInt32LE(at + 4)
      const whole = plain.subarray(at, at + 8 + length + (length % 2))
      const isFrame = whole.toString('latin1', 0, 4) === 'ANMF'
      const secret = chunk('SECR', Buffer.from(SECRET))
      const added = isFrame ? chunk('ANMF', Buffer.concat([whole.subarray(8), secret])) : whole
      before = file(before.subarray(12), added)
      at += whole.length
    }
    expect(before.includes(SECRET)).toBe(true)
    const after = (await stripped(before))!
    expect(after.equals(plain)).toBe(true)
    expect(await looksOf(after)).toEqual(await looksOf(before))
  })
})
