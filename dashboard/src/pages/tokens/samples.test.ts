import { describe, expect, test } from 'bun:test'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { shareXUploader } from '../../../../src/contract/upload/sharex.ts'
import { sampleWords } from './sample-words.ts'
import {
  curlSample,
  luaSample,
  sampleAccessOf,
  screenshotSample,
  scriptSample,
  shareXFileName,
} from './samples.ts'

const words = sampleWords.de
const sharex = shareXUploader({
  publicUrl: 'https://m.example.org/x',
  hasDashboard: true,
  name: 'Bot',
  token: 'media_abc',
})
const access = (token: Partial<TokenOnWire> = {}) =>
  sampleAccessOf(sharex, { praefix: 'items/', arten: null, ...token } as TokenOnWire)

test('the ready ShareX file tells address and key', () => {
  expect(access()).toEqual({
    serviceAddress: 'https://m.example.org/x',
    key: 'media_abc',
    prefix: 'items/',
    kinds: null,
  })
})

describe('what is filled in', () => {
  test('curl: one line that sends the header of the path', () => {
    expect(curlSample(access(), words)).toBe(
      'curl -H "Authorization: Bearer media_abc" -H "X-Path: items/beispiel.png" ' +
        '--data-binary "@beispiel.png" "https://m.example.org/x/api/upload"',
    )
  })

  test.each([
    [null, 'beispiel.png'],
    [['audio', 'video'], 'beispiel.mp3'],
    [['sonstige'], 'beispiel.bin'],
  ] as const)('kinds %j: a file that the token may store', (arten, name) => {
    for (const sample of [curlSample, luaSample, scriptSample])
      expect(sample(access({ arten }), words)).toContain(name)
  })

  test('without a folder the path begins at the top', () => {
    expect(scriptSample(access({ praefix: null }), words)).toContain(`'X-Path': 'beispiel.png'`)
  })

  test('a quote ends no text before its time', () => {
    const odd = { ...access(), serviceAddress: `https://x/it's"$(id)` }
    expect(luaSample(odd, words)).toContain(`'https://x/it\\'s"$(id)/api/upload'`)
    expect(curlSample(odd, words)).toContain(`"https://x/it's\\"\\$(id)/api/upload"`)
  })

  test('no screenshots for a token without pictures', () => {
    expect(screenshotSample(access(), words)).toContain("'https://m.example.org/x/api/image'")
    expect(screenshotSample(access({ arten: ['audio'] }), words)).toBeNull()
  })
})

test('the script is one that runs', async () => {
  const body = scriptSample(access(), words)
  const sent: { address: string; headers: unknown; body: unknown }[] = []
  const fetch = async (address: string, init: { headers: unknown; body: unknown }) => {
    sent.push({ address, headers: init.headers, body: init.body })
    return Response.json({ url: 'https://m.example.org/f/items/beispiel.png' })
  }
  const Async = (async () => {}).constructor as new (...parts: string[]) => (...values: unknown[]) => unknown
  await new Async('fetch', 'file', 'console', body)(fetch, 'bytes', { log: () => {} })
  expect(sent).toEqual([
    {
      address: 'https://m.example.org/x/api/upload',
      headers: { Authorization: 'Bearer media_abc', 'X-Path': 'items/beispiel.png' },
      body: 'bytes',
    },
  ])
})

test.each([
  ['Discord-Bot', 'Discord-Bot.sxcu'],
  ['ShareX Nora', 'ShareX-Nora.sxcu'],
  ['ÄÖÜ', 'fundus.sxcu'],
])('%s is saved as %s', (name, file) => expect(shareXFileName(name)).toBe(file))
