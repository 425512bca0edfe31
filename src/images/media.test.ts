import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { leftToLong } from '../../test/support/left-out.ts'
import { needsTool } from '../../test/support/tools.ts'
import { MEGABYTE } from '../contract/values/units.ts'
import type { ImagesOptions } from './images.ts'
import { type Bench, createBench, fixturePath } from './testing/bench.ts'
import { wav } from './testing/pictures.ts'
import { isAlive, waitUntil, waitUntilGone } from './testing/processes.ts'

describe('measurements need no ffmpeg', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await createBench({ searchPath: '' })
  })
  afterAll(() => bench.close())

  const clips: [string, string, object][] = [
    ['clip.mp4', 'video/mp4', { width: 160, height: 90, duration: 3 }],
    ['rotated.mp4', 'video/mp4', { width: 90, height: 160, duration: 3 }],
    ['wide-pixels.mp4', 'video/mp4', { width: 768, height: 576, duration: 1 }],
    ['recorded-without-length.webm', 'video/webm', { width: 160, height: 90, duration: 2 }],
    ['sound-only.webm', 'audio/webm;codecs=opus', { duration: 2.001 }],
    ['sound-only.webm', 'video/webm', { duration: 2.001 }],
    ['tone.mp3', 'audio/mpeg', { duration: 2.038 }],
  ]
  test.each(clips)('%s as %s', async (name, mime, expected) => {
    expect(await bench.derive(fixturePath(name), { mime })).toEqual(expected)
  })

  test('WAV', async () => {
    expect(await bench.derive(await bench.writeSource('a.wav', wav(3)))).toEqual({ duration: 3 })
  })

  test('what nothing here can read is refused', async () => {
    const text = await bench.writeSource('text.mp4', 'no film')
    for (const source of [fixturePath('clip.avi'), text]) {
      await expect(bench.derive(source, { mime: 'video/mp4' })).rejects.toMatchObject({ reason: 'refused' })
    }
    await expect(bench.derive(`${text}.gone`, { mime: 'video/mp4' })).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(await bench.leftovers()).toEqual([])
  })
})

describe('posters', () => {
  needsTool('ffmpeg')
  let bench: Bench
  beforeAll(async () => {
    bench = await createBench()
  })
  afterAll(() => bench.close())

  const clips: [string, number, number][] = [
    ['clip.mp4', 160, 90],
    ['rotated.mp4', 90, 160],
    ['wide-pixels.mp4', 480, 360],
    ['recorded-without-length.webm', 160, 90],
    ['clip.avi', 160, 90],
    ['black-then-red.mp4', 480, 270],
  ]
  for (const [name, width, height] of clips) {
    test(`of ${name}`, async () => {
      const { preview } = await bench.derive(fixturePath(name))
      expect(await sharp(preview!.file).metadata()).toMatchObject({ format: 'webp', width, height })
    })
  }

  test('skip a black beginning', async () => {
    const { preview } = await bench.derive(fixturePath('black-then-red.mp4'))
    const { dominant } = await sharp(preview!.file).stats()
    expect([dominant.r > 200, dominant.g < 60]).toEqual([true, true])
  })

  test('are made when wanted, and not for sound', async () => {
    const before = await bench.leftovers()
    expect((await bench.derive(fixturePath('clip.mp4'), { parts: ['variant'] })).preview).toBeUndefined()
    expect((await bench.derive(fixturePath('clip.mp4'), { mime: 'audio/mp4' })).preview).toBeUndefined()
    expect((await bench.derive(fixturePath('sound-only.webm'))).preview).toBeUndefined()
    expect(await bench.leftovers()).toEqual(before)
  })

  const lists: [string, (clip: string) => string][] = [
    ['playlist', clip => `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n${clip}\n#EXT-X-ENDLIST\n`],
    ['concatenation', clip => `ffconcat version 1.0\nfile ${clip}\n`],
  ]
  for (const [name, write] of lists) {
    test(`show no other file: ${name}`, async () => {
      await copyFile(fixturePath('clip.mp4'), join(bench.folder, 'secret.mp4'))
      for (const clip of ['secret.mp4', `file://${bench.folder}/secret.mp4`]) {
        const source = await bench.writeSource('list.mp4', write(clip))
        await expect(bench.derive(source)).rejects.toMatchObject({ reason: 'refused' })
      }
    })
  }
})

describe('an ffmpeg that misbehaves', () => {
  let bench: Bench
  afterEach(() => bench.close())

  /** A fake ffmpeg that reports its version and then runs `script`. */
  async function fake(script: string, options: ImagesOptions): Promise<() => Promise<number>> {
    bench = await createBench()
    const { folder } = bench
    await bench.images.close()
    const program = await bench.writeSource('ffmpeg', `#!/bin/sh\necho $$ > ${folder}/pid\n${script}\n`)
    await chmod(program, 0o755)
    const outer = bench
    const inner = await createBench({ searchPath: `${folder}:${process.env.PATH}`, ...options })
    bench = { ...inner, folder, close: async () => void (await Promise.all([inner.close(), outer.close()])) }
    return async () => {
      const read = () => readFile(join(folder, 'pid'), 'utf8').catch(() => '')
      let text = ''
      while (!text.endsWith('\n')) text = await read()
      return Number(text)
    }
  }

  test('too slow: killed, the measurements stay', async () => {
    const pid = await fake('exec sleep 60', { posterDeadlineMs: 300 })
    expect(await bench.derive(fixturePath('clip.mp4'))).toEqual({ width: 160, height: 90, duration: 3 })
    expect(isAlive(await pid())).toBe(false)
    expect(bench.startedPids.map(isAlive)).toEqual([true])
  })

  test('too fat: killed, the measurements stay', async () => {
    // It ends because of its memory, not its time.
    const limits = { memoryBytes: 200 * MEGABYTE, posterDeadlineMs: 600_000, deadlineMs: 600_000 }
    const pid = await fake('exec dd if=/dev/zero of=/dev/null bs=900M', limits)
    expect(await bench.derive(fixturePath('clip.mp4'))).toEqual({ width: 160, height: 90, duration: 3 })
    expect(isAlive(await pid())).toBe(false)
  })

  test.each(['echo nonsense', 'exit 1', 'exec head -c 50M /dev/zero'])('%s', async script => {
    await fake(script, {})
    expect(await bench.derive(fixturePath('clip.mp4'))).toEqual({ width: 160, height: 90, duration: 3 })
    expect(await bench.leftovers()).toEqual([])
  })

  leftToLong('goes down with a decoder past its deadline', async () => {
    const pid = await fake('exec sleep 60', { deadlineMs: 2500 })
    await expect(bench.derive(fixturePath('clip.mp4'))).rejects.toMatchObject({ reason: 'timeout' })
    expect(await waitUntilGone(await pid())).toBe(true)
  })

  test('goes down with close()', async () => {
    const pid = await fake('exec sleep 60', {})
    const lost = bench.derive(fixturePath('clip.mp4')).catch(error => error.reason)
    const ffmpeg = await pid()
    await bench.images.close()
    expect(await waitUntilGone(ffmpeg)).toBe(true)
    expect(await lost).toBe('closed')
  })

  test('goes down with a decoder that crashes', async () => {
    const pid = await fake('exec sleep 60', {})
    const lost = bench.derive(fixturePath('clip.mp4')).catch(error => error.reason)
    const ffmpeg = await pid()
    process.kill(bench.startedPids[0]!, 'SIGSEGV')
    expect(await lost).toBe('crashed')
    expect(await waitUntilGone(ffmpeg)).toBe(true)
  })

  test('goes down with a service that is killed', async () => {
    const pid = await fake('exec sleep 60', {})
    const parent = Bun.spawn({
      cmd: [
        process.execPath,
        fixturePath('parent.ts'),
        fixturePath('clip.mp4'),
        'video/mp4',
        `${bench.folder}:${process.env.PATH}`,
      ],
      cwd: bench.scratch,
    })
    const ffmpeg = await pid()
    parent.kill('SIGKILL')
    expect(await waitUntil(() => !isAlive(ffmpeg))).toBe(true)
  })
})
