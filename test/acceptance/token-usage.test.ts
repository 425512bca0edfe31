/** What a token has stored: the files and bytes in the list always equal those of its files. */

import { describe, expect, test } from 'bun:test'
import { remove, store, upload } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { file, put, removeById } from '../support/compat.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { type CreatedToken, sharedServiceWithAdmin } from '../support/token-admin.ts'
import { countedUsage, runningUsage, storesNothing } from '../support/usage.ts'
import { eventually } from '../support/wait.ts'

const on = sharedServiceWithAdmin({ ownProcess: true })

async function expectHolds(token: CreatedToken, dateien: number, bytes: number): Promise<void> {
  expect(await on.admin.find(token.id)).toMatchObject({ dateien, bytes })
}
const bytes = (seed: number, length: number) => randomBytes(seed, length)

describe('files and bytes in the list', () => {
  test('grow with an upload, whichever route it came by', async () => {
    const token = await on.admin.create()
    await expectHolds(token, 0, 0)
    await store(on.service, token.token, 'usage/a.bin', bytes(1, 1000))
    await expectHolds(token, 1, 1000)
    await put(on.service, '/api/audio', token.token, [file('audio', media('tone.mp3'))])
    await expectHolds(token, 2, 1000 + media('tone.mp3').length)
  })

  test('follow the size when the token overwrites its own file', async () => {
    const token = await on.admin.create()
    await store(on.service, token.token, 'usage/own.bin', bytes(1, 1000))
    await store(on.service, token.token, 'usage/own.bin', bytes(2, 1))
    await expectHolds(token, 1, 1)
    await store(on.service, token.token, 'usage/own.bin', bytes(3, 5000))
    await expectHolds(token, 1, 5000)
  })

  test('change hands with the file: it belongs to the token that stored it last', async () => {
    const [first, second] = [await on.admin.create(), await on.admin.create()]
    await store(on.service, first.token, 'usage/handed.bin', bytes(1, 1000))
    await store(on.service, second.token, 'usage/handed.bin', bytes(2, 300))
    await expectHolds(first, 0, 0)
    await expectHolds(second, 1, 300)
  })

  test('equal content by compatibility route counts once', async () => {
    const token = await on.admin.create({ praefix: 'usage/once' })
    for (const _ of [1, 2, 3])
      await put(on.service, '/api/video', token.token, [file('video', media('clip.mp4'))])
    await expectHolds(token, 1, media('clip.mp4').length)
  })

  test('shrink with a deletion, also one by another token', async () => {
    const token = await on.admin.create({ darf_loeschen: true })
    for (const n of [1, 2, 3]) await store(on.service, token.token, `usage/gone-${n}.bin`, bytes(n, n * 100))
    await remove(on.service, token.token, 'usage/gone-1.bin')
    await expectHolds(token, 2, 500)
    await remove(on.service, on.token, 'usage/gone-2.bin')
    await expectHolds(token, 1, 300)
    const { id } = await put(on.service, '/api/audio', token.token, [file('audio', media('tone.ogg'))])
    await removeById(on.service, token.token, '/api/v3/file', id)
    await expectHolds(token, 1, 300)
  })

  test('count what is stored, not what was sent', async () => {
    const token = await on.admin.create({ max_kante: 20 })
    const answer = await store(
      on.service,
      token.token,
      'usage/small.png',
      await png({ width: 200, height: 200 }),
    )
    await expectHolds(token, 1, answer.size)
  })

  test('the twin: a refused upload leaves them as they were', async () => {
    const token = await on.admin.create({ kontingent: 1000, max_datei: 900 })
    await store(on.service, token.token, 'usage/refused.bin', bytes(1, 800))
    await storesNothing(on.service.dataDir, async () => {
      for (const [path, length, headers] of [
        ['usage/refused-2.bin', 201, {}],
        ['usage/refused-2.bin', 901, {}],
        ['usage/refused.bin', 10, { 'X-Overwrite': 'false' }],
        ['../x', 10, {}],
      ] as const) {
        const response = await upload(on.service, token.token, bytes(2, length), {
          'X-Path': path,
          ...headers,
        })
        expect(response.status).toBeGreaterThanOrEqual(400)
      }
    })
    await expectHolds(token, 1, 800)
  })

  test('outlive a restart', async () => {
    const token = await on.admin.create()
    await store(on.service, token.token, 'usage/lasting.bin', bytes(1, 1234))
    await on.service.restart()
    await expectHolds(token, 1, 1234)
  })
})

describe('the running figure equals the sum over the files', () => {
  const PATHS = Array.from({ length: 12 }, (_, n) => `mix/${n}.bin`)

  /** A repeatable stream of random numbers: the same mix on every machine. */
  function dice(seed: number): (sides: number) => number {
    const rolls = new Uint32Array(randomBytes(seed, 4 * 4096).buffer)
    let at = 0
    return sides => rolls[at++ % rolls.length]! % sides
  }

  /** Concurrent uploads, overwrites across both tokens, refused uploads and deletions. */
  async function mix(tokens: CreatedToken[], seed: number, rounds: number): Promise<Set<number>> {
    const roll = dice(seed)
    const statuses = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      const acts = Array.from({ length: 8 }, async (_, n) => {
        const path = PATHS[roll(PATHS.length)]!
        const { token } = tokens[roll(tokens.length)]!
        if (roll(4) === 0) return remove(on.service, token, path)
        const headers = roll(5) === 0 ? { 'X-Overwrite': 'false' } : {}
        const content = bytes(round * 8 + n + 1, 1 + roll(3000))
        return upload(on.service, token, content, { 'X-Path': path, ...headers })
      })
      // 0: the connection broke, as it does when the service is killed.
      const answered = acts.map(act => act.then(answer => answer.status).catch(() => 0))
      for (const status of await Promise.all(answered)) statuses.add(status)
    }
    return statuses
  }

  async function expectConsistent(): Promise<void> {
    const counted = await countedUsage(on.service.dataDir)
    expect(counted.length).toBeGreaterThan(0)
    expect(await runningUsage(on.service.dataDir)).toEqual(counted)
  }

  test('after a random mix of uploads, overwrites across two tokens and deletes', async () => {
    const limits = { darf_loeschen: true, kontingent: 12_000 }
    const tokens = [await on.admin.create(limits), await on.admin.create({ darf_loeschen: true })]
    const statuses = await mix(tokens, 7, 40)
    // Otherwise the mix would have missed a kind of operation.
    expect([...statuses].sort()).toEqual([200, 404, 409, 413])
    await expectConsistent()
    const held = new Map((await countedUsage(on.service.dataDir)).map(usage => [usage.token_id, usage]))
    for (const { id } of tokens) {
      const { dateien, bytes } = await on.admin.find(id)
      expect({ dateien, bytes }).toEqual({
        dateien: held.get(id)?.files ?? 0,
        bytes: held.get(id)?.bytes ?? 0,
      })
    }
    expect(held.get(tokens[0]!.id)?.bytes ?? 0).toBeLessThanOrEqual(12_000)
  })

  test('also when the service is killed in the middle of one', async () => {
    const tokens = [
      await on.admin.create({ darf_loeschen: true }),
      await on.admin.create({ darf_loeschen: true }),
    ]
    const mixing = mix(tokens, 8, 10)
    await eventually('some of it is stored', async () => (await countedUsage(on.service.dataDir)).length > 0)
    await on.service.kill9()
    await mixing
    await on.service.restart()
    await store(on.service, tokens[0]!.token, 'mix/after.bin', bytes(1, 10))
    await expectConsistent()
  })

  test('also after a token that holds files is withdrawn, and its files change hands', async () => {
    const [gone, heir] = [await on.admin.create(), await on.admin.create()]
    for (const n of [1, 2, 3]) await store(on.service, gone.token, `mix/heir-${n}.bin`, bytes(n, 100))
    await on.admin.withdraw(gone.id)
    await store(on.service, heir.token, 'mix/heir-1.bin', bytes(9, 50))
    await expectHolds(heir, 1, 50)
    await expectConsistent()
  })
})
