/** Decoders are few: slow pictures of one token delay neither the uploads nor the previews of another. */

import { beforeAll, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { post } from '../support/compat.ts'
import { leftToLong } from '../support/left-out.ts'
import { sharedLibrary } from '../support/library.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'

const on = sharedLibrary()

/**
 * Less than a slow picture takes, which is ended after 30 s. A busy machine needs more than the usual second
 * or two.
 */
const PROMPT = 29_000
const SLOW = ['0', '1', '2', '3'].map(name => `slow/${name}.svg`)

/**
 * 2.5 MB that are parsed at once and rendered for minutes: many squares with a noise filter, one above the
 * other.
 */
function slowSvg(): string {
  const noise = '<feTurbulence baseFrequency="0.9" numOctaves="9"/>'
  const square = '<rect x="0" y="0" width="480" height="360" filter="url(#noise)"/>\n'
  const head = '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360">'
  return `${head}<filter id="noise">${noise}</filter>${square.repeat(38_000)}</svg>`
}

let other = ''
beforeAll(async () => {
  other = await on.service.createToken('--name', 'other', '--max-edge', '100')
  for (const path of SLOW) await store(on.service, on.token, path, slowSvg())
  // Readers wait for these too, but that does not give them precedence over others that are awaited.
  for (const path of SLOW) fetch(`${on.service.url}/t/${path}.webp`).catch(() => {})
})

async function promptly<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await work()
  expect(performance.now() - begun).toBeLessThan(PROMPT)
  return result
}

test('four slow pictures of one token do not delay the video of another', async () => {
  const parts = [{ name: 'video', filename: 'clip.mp4', type: 'video/mp4', content: media('clip.mp4') }]
  const response = await promptly(() => post(on.service, '/api/video', other, parts))
  expect(response.status).toBe(200)
}, 200_000)

leftToLong(
  'nor a picture of another that is scaled down',
  async () => {
    const picture = await png({ width: 300, height: 200 })
    const answer = await promptly(() => store(on.service, other, 'quick/scaled.png', picture))
    expect(answer.verkleinert).toEqual({ von: '300x200', auf: '100x67' })
  },
  200_000,
)

// src/images/pool.test.ts tests the same rule with fake jobs.
leftToLong(
  'nor the previews of another, which nobody waits for',
  async () => {
    await store(on.service, other, 'quick/preview.png', await png({ width: 90, height: 60 }))
    await promptly(() =>
      eventually(
        'there is a preview',
        async () => (await on.file('quick/preview.png')).vorschau !== null,
        200_000,
      ),
    )
  },
  210_000,
)
