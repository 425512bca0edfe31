/**
 * Reading a library that is larger than the memory for prepared answers does not use several times that
 * memory.
 */
import { expect, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { memoryOf } from '../support/processes.ts'
import { startService } from '../support/service.ts'

const MEGABYTE = 1024 * 1024
const FILES = 2000
const SIZE = 60_000
const READS = 20_000
const CLIENTS = 16

test('20 000 reads of 120 MB in small files, with 8 MB for answers', async () => {
  await using service = await startService({ ownProcess: true, env: { SPEICHER_MB: '8' } })
  const token = await service.createToken()
  const each = async (times: number, work: (at: number) => Promise<void>) => {
    let begun = 0
    const client = async () => {
      while (begun < times) await work(begun++)
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
  }
  const body = randomBytes(1, SIZE)
  await each(FILES, async at => void (await store(service, token, `many/${at}.bin`, body)))
  let most = 0
  // The step and the number of files have no common divisor, so every file is read.
  const reading = async (at: number) => {
    const answer = await read(service, `many/${(at * 7919) % FILES}.bin`)
    expect((await answer.arrayBuffer()).byteLength).toBe(SIZE)
    if (at % 500 === 0) most = Math.max(most, memoryOf(service.pid))
  }
  await each(FILES, reading)
  const before = memoryOf(service.pid)
  most = 0
  await each(READS, reading)
  expect(most - before).toBeLessThan(60 * MEGABYTE)
  expect(most).toBeLessThan(220 * MEGABYTE)
})
