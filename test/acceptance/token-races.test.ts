/** Concurrent uploads: together they never exceed a quota, and exactly one wins a path. */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read, type UploadAnswer, upload } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { file, post } from '../support/compat.ts'
import { objectFiles, stagedFiles } from '../support/data-folder.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { countedUsage } from '../support/usage.ts'
import { eventually, nextTurn } from '../support/wait.ts'

const on = sharedServiceWithAdmin()
const FIFTY = Array.from({ length: 50 }, (_, n) => n)
const SIZE = 1000

const tally = (answers: Response[]) => {
  const statuses = answers.map(answer => answer.status)
  return Object.fromEntries(
    [...new Set(statuses)].map(status => [status, statuses.filter(s => s === status).length]),
  )
}

/** The largest sum of the token's files that was visible while `act` ran. */
async function mostHeld<T>(id: string, act: Promise<T>): Promise<[T, number]> {
  const heldBytes = async () =>
    (await countedUsage(on.service.dataDir)).find(usage => usage.token_id === id)?.bytes ?? 0
  let most = 0
  let running = true
  const watching = (async () => {
    while (running) {
      most = Math.max(most, await heldBytes())
      await nextTurn()
    }
  })()
  const result = await act.finally(() => {
    running = false
  })
  await watching
  return [result, Math.max(most, await heldBytes())]
}

describe('50 uploads at once against a quota that fits 10', () => {
  test.each<[string, (token: string, n: number) => Promise<Response>]>([
    [
      '/api/upload',
      (token, n) => upload(on.service, token, randomBytes(n + 1, SIZE), { 'X-Path': `race/quota-${n}.bin` }),
    ],
    [
      '/api/v3/file',
      (token, n) => post(on.service, '/api/v3/file', token, [file('file', randomBytes(n + 1, SIZE))]),
    ],
  ])('%s: exactly 10 succeed, the sum is never above it', async (_, send) => {
    const { id, token } = await on.admin.create({ kontingent: 10 * SIZE + SIZE - 1 })
    const [answers, most] = await mostHeld(id, Promise.all(FIFTY.map(n => send(token, n))))
    expect(tally(answers)).toEqual({ 200: 10, 413: 40 })
    expect(most).toBe(10 * SIZE)
    expect(await on.admin.find(id)).toMatchObject({ dateien: 10, bytes: 10 * SIZE })
    for (const answer of answers) if (answer.status === 413) await expectError(answer, 413, /Kontingent/)
  })

  test('files of different sizes: whoever gets in, the sum fits', async () => {
    const quota = 20_000
    const { id, token } = await on.admin.create({ kontingent: quota })
    const sizes = FIFTY.map(n => 500 + ((n * 379) % 2500))
    const sending = FIFTY.map(n =>
      upload(on.service, token, randomBytes(n + 1, sizes[n]!), { 'X-Path': `race/mixed-${n}.bin` }),
    )
    const [answers, most] = await mostHeld(id, Promise.all(sending))
    const stored = sizes.filter((_, n) => answers[n]!.status === 200)
    const sum = stored.reduce((a, b) => a + b, 0)
    expect(most).toBeLessThanOrEqual(quota)
    expect(await on.admin.find(id)).toMatchObject({ dateien: stored.length, bytes: sum })
    // No upload was refused without need: the refused ones would not fit now either.
    for (const n of FIFTY) if (answers[n]!.status !== 200) expect(sum + sizes[n]!).toBeGreaterThan(quota)
  })

  test('the twin: 50 overwrites of one file that fits all succeed', async () => {
    const { id, token } = await on.admin.create({ kontingent: SIZE })
    const sending = FIFTY.map(n =>
      upload(on.service, token, randomBytes(n + 1, SIZE), { 'X-Path': 'race/same.bin' }),
    )
    const [answers, most] = await mostHeld(id, Promise.all(sending))
    expect(tally(answers)).toEqual({ 200: 50 })
    expect(most).toBe(SIZE)
  })
})

describe('50 uploads at once with X-Overwrite: false to one path', () => {
  test('one 200, forty-nine 409; the winner is what is there, and nothing else is left', async () => {
    const path = 'race/once.bin'
    const headers = { 'X-Path': path, 'X-Overwrite': 'false' }
    const answers = await Promise.all(
      FIFTY.map(n => upload(on.service, on.token, randomBytes(n + 1, SIZE), headers)),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 49 })
    const winner = answers.findIndex(answer => answer.status === 200)
    expectSameBytes(await bytesOf(await read(on.service, path)), randomBytes(winner + 1, SIZE))
    for (const answer of answers) if (answer.status === 409) await expectError(answer, 409)
    const hasOneObject = async () => (await objectFiles(on.service.dataDir, path)).length === 1
    await eventually('only the winner is on disk', hasOneObject)
    const none = async () => (await stagedFiles(on.service.dataDir)).length === 0
    await eventually('nothing is left staged', none)
  })

  test('the twin: without the header all fifty succeed, one was the first, one is the last', async () => {
    const sending = FIFTY.map(n =>
      upload(on.service, on.token, randomBytes(n + 1, SIZE), { 'X-Path': 'race/many.bin' }),
    )
    const answers = await Promise.all(sending)
    expect(tally(answers)).toEqual({ 200: 50 })
    const stored = (await Promise.all(answers.map(answer => answer.json()))) as UploadAnswer[]
    expect(stored.filter(({ replaced }) => !replaced)).toHaveLength(1)
    const hashes = FIFTY.map(n => sha256(randomBytes(n + 1, SIZE)))
    expect(hashes).toContain(sha256(await bytesOf(await read(on.service, 'race/many.bin'))))
  })

  test('equal content at once by a compatibility route: all succeed, and it is there once', async () => {
    const { id, token } = await on.admin.create({ praefix: 'race/equal' })
    const parts = [file('file', randomBytes(77, SIZE))]
    const answers = await Promise.all(FIFTY.map(() => post(on.service, '/api/v3/file', token, parts)))
    expect(tally(answers)).toEqual({ 200: 50 })
    expect(await on.admin.find(id)).toMatchObject({ dateien: 1, bytes: SIZE })
  })
})
