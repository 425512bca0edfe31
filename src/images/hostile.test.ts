import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { MEGABYTE } from '../contract/values/units.ts'
import { type Bench, createBench } from './testing/bench.ts'
import { deflateBomb, GREY, gif, png } from './testing/pictures.ts'

/** So little that an exploding bomb of BOMB bytes would end the decoder. */
const MEMORY = 160 * MEGABYTE
const BOMB = 300 * MEGABYTE
const IN_TIME_MS = 4000

let bench: Bench
beforeAll(async () => {
  bench = await createBench({ memoryBytes: MEMORY, deadlineMs: IN_TIME_MS, maxDecoders: 1 })
})
afterAll(() => bench.close())

/** After any input it must still be the same decoder. */
afterEach(() => expect(bench.startedPids).toHaveLength(1))

describe('bombs', () => {
  test('900 million pixels in 110 KB are measured, not decoded', async () => {
    const bytes = png({ width: 30_000, height: 30_000, bitDepth: 1, colour: GREY })
    expect(bytes.length).toBeLessThan(200_000)
    const derived = await bench.derive(await bench.writeSource('pixels.png', bytes))
    expect(derived).toEqual({ width: 30_000, height: 30_000 })
  })

  test('pixels below the limit but not below the memory are measured, not decoded', async () => {
    // AVIF is decoded as a whole; 9 million pixels of it take more than this decoder's memory.
    const flat = sharp({ create: { width: 3000, height: 3000, channels: 3, background: '#123456' } })
    const file = await bench.writeSource('flat.avif', await flat.avif({ effort: 0, quality: 10 }).toBuffer())
    expect(await bench.derive(file)).toEqual({ width: 3000, height: 3000 })
  })

  test.each(['zTXt', 'iCCP'] as const)('a deflate bomb in %s does not go off', async type => {
    const bytes = png({ width: 60, height: 40, extraChunks: [deflateBomb(type, BOMB)] })
    expect(bytes.length).toBeLessThan(BOMB / 500)
    const derived = await bench.derive(await bench.writeSource('deflate.png', bytes))
    expect(derived).toMatchObject({ width: 60, height: 40, preview: { size: expect.any(Number) } })
  })

  test('a hundred thousand frames cost one, and are not scaled', async () => {
    const derived = await bench.derive(await bench.writeSource('frames.gif', gif(200, 100_000)))
    expect(derived.preview).toBeDefined()
    const scaled = bench.downscale(`${bench.folder}/frames.gif`, 1)
    await expect(scaled).rejects.toMatchObject({ reason: 'refused' })
  })

  test('entities that multiply are refused', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(12)}">`)
    const svg = `<!DOCTYPE svg [<!ENTITY e0 "fundus">${levels.join('')}]>
      <svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&e12;</text></svg>`
    const outcome = await bench.derive(await bench.writeSource('laughs.svg', svg)).catch(error => error)
    expect(outcome).toMatchObject({ reason: 'refused' })
  })
})

describe('broken pictures are refused', () => {
  const cases: [string, () => Buffer | string][] = [
    ['no picture at all', () => 'a text that calls itself a picture'],
    ['empty', () => ''],
    ['only a header', () => png({ width: 60, height: 40 }).subarray(0, 33)],
    ['pixels that are none', () => png({ width: 60, height: 40, pixels: Buffer.from('no zlib stream') })],
  ]
  test.each(cases)('%s', async (_, make) => {
    const file = await bench.writeSource('broken.png', make())
    const before = await bench.leftovers()
    const outcome = await bench.derive(file).catch(error => error)
    expect(outcome).toMatchObject({ name: 'ImagesError', reason: 'refused', message: expect.any(String) })
    expect(await bench.leftovers()).toEqual(before)
  })
})

test('vector graphics see no file beside them', async () => {
  const secret = sharp({ create: { width: 20, height: 20, channels: 3, background: '#00ff00' } })
  await bench.writeSource('secret.png', await secret.png().toBuffer())
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">
    <rect width="20" height="20" fill="#ff0000"/><image href="secret.png" width="20" height="20"/></svg>`
  const derived = await bench.derive(await bench.writeSource('curious.svg', svg))
  const { dominant } = await sharp(derived.preview!.file).stats()
  expect([dominant.r > 200, dominant.g < 60]).toEqual([true, true])
})
