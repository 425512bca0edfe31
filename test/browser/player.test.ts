/** A film watched in a real browser counts once, however many parts the player requests. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { store } from '../support/api.ts'
import { concat, randomBytes } from '../support/bytes.ts'
import { readRetrievals } from '../support/data-folder.ts'
import { sharedService } from '../support/shared-service.ts'
import { launchChromium, needsChromium } from './chromium.ts'

const hasBrowser = needsChromium()
const on = sharedService()
let browser: Browser | undefined
beforeAll(async () => {
  if (hasBrowser) browser = await launchChromium()
})
afterAll(() => browser?.close())

const SECONDS = 600
const RATE = 44_100

/** Uncompressed sound: every browser plays it, and each second is at a known position of the file. */
function longSound(): Uint8Array<ArrayBuffer> {
  const length = SECONDS * RATE
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // channels
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE, 28) // bytes per second
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34) // bits per sample
  header.write('data', 36)
  header.writeUInt32LE(length, 40)
  return concat(header, randomBytes(1, length))
}

test('watched with five seeks: one retrieval', async () => {
  await store(on.service, on.token, 'player/long.wav', longSound())
  const page = await browser!.newPage()
  const ranges: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('.wav')) ranges.push(request.headers().range ?? 'whole')
  })
  await page.goto(`${on.service.url}/health`)
  await page.evaluate(`(async () => {
    const player = document.createElement('video')
    player.muted = true
    player.src = '/f/player/long.wav'
    const happened = event => new Promise((resolve, reject) => {
      player.addEventListener(event, resolve, { once: true })
      player.addEventListener('error', () => reject(new Error(player.error.message)), { once: true })
    })
    const begun = happened('playing')
    document.body.append(player)
    player.play()
    await begun
    for (const second of [500, 100, 580, 300, 450]) {
      const there = happened('seeked')
      player.currentTime = second
      await there
    }
    player.removeAttribute('src')
    player.load()
    player.remove()
  })()`)
  await page.close()
  await on.service.stop()
  const found = await readRetrievals(on.service.dataDir, 'player/long.wav')
  await on.service.restart()
  // The player must request later parts, otherwise this test would show nothing.
  expect(ranges.length).toBeGreaterThan(2)
  expect({ retrievals: found?.retrievals, ranges }).toEqual({ retrievals: 1, ranges })
})
