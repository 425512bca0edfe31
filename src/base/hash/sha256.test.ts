import { expect, test } from 'bun:test'
import { sha256 as expected, randomBytes } from '../../../test/support/bytes.ts'
import { eventually, nextTurn } from '../../../test/support/wait.ts'
import { createHashThread } from './hash-thread.ts'
import { StreamHash, sha256, sha256OfStream } from './sha256.ts'

const KB = 1024

/** Yields the bytes in one reused buffer, as file readers do. */
function* inPieces(bytes: Uint8Array, length: number) {
  const buffer = Buffer.alloc(length)
  for (let at = 0; at < bytes.length; at += length) {
    const piece = bytes.subarray(at, at + length)
    buffer.set(piece)
    yield buffer.subarray(0, piece.length)
    buffer.fill(0)
  }
}

test.each([
  ['nothing', 0, 1],
  ['one byte', 1, 1],
  ['as much as is hashed on the spot', 128 * KB, 128 * KB],
  ['the same in pieces', 128 * KB, 5 * KB],
  ['one byte more', 128 * KB + 1, 128 * KB],
  ['one long piece', 300 * KB, 300 * KB],
  ['a long stream', 5000 * KB + 7, 256 * KB],
  ['a long stream in small pieces', 1000 * KB, 3 * KB + 1],
])('%s', async (_, length, piece) => {
  const bytes = randomBytes(length, length)
  let seen = 0
  const hash = await sha256OfStream(inPieces(bytes, piece), chunk => {
    seen += chunk.length
  })
  expect([hash, seen]).toEqual([expected(bytes), length])
  expect(sha256(bytes)).toBe(hash)
})

test('many at once do not mix', async () => {
  const all = Array.from({ length: 12 }, (_, at) => randomBytes(at, 200 * KB + at * 50 * KB))
  const hashes = await Promise.all(all.map(bytes => sha256OfStream(inPieces(bytes, 64 * KB))))
  expect(hashes).toEqual(all.map(bytes => expected(bytes)))
})

test('short ones at once do not mix, also when some are dropped', async () => {
  const all = Array.from({ length: 50 }, (_, at) => ({
    hash: new StreamHash(),
    bytes: randomBytes(at, 3 * KB + at),
  }))
  for (let from = 0; from < 4 * KB; from += KB)
    for (const [at, { hash, bytes }] of all.entries())
      if (at % 3 > 0) await hash.add(bytes.subarray(from, from + KB))
      else hash.drop()
  for (const [at, { hash, bytes }] of all.entries()) {
    if (at % 3 === 0) continue
    expect(await hash.digest()).toBe(expected(bytes))
    hash.drop()
    hash.drop()
  }
  const [one, other] = [new StreamHash(), new StreamHash()]
  await Promise.all([one.add(randomBytes(1, KB)), other.add(randomBytes(2, KB))])
  expect(await one.digest()).toBe(expected(randomBytes(1, KB)))
  expect(await other.digest()).toBe(expected(randomBytes(2, KB)))
})

test('an error of the stream, or of who uses its chunks, is passed on, and the next stream is hashed', async () => {
  const bytes = randomBytes(1, 900 * KB)
  function* breaking() {
    yield* inPieces(bytes, 300 * KB)
    throw new Error('the disk')
  }
  await expect(sha256OfStream(breaking())).rejects.toThrow('the disk')
  const refusing = sha256OfStream(inPieces(bytes, 300 * KB), () => {
    throw new Error('the reader')
  })
  await expect(refusing).rejects.toThrow('the reader')
  expect(await sha256OfStream(inPieces(bytes, 300 * KB))).toBe(expected(bytes))
})

test('the thread takes no more than a few chunks ahead', async () => {
  const hash = createHashThread().begin()
  let taken = 0
  const adding = (async () => {
    for (; taken < 6; taken++) await hash.add(new Uint8Array(8_000_000))
  })()
  await nextTurn()
  expect(taken).toBeLessThan(3)
  await adding
  expect(await hash.digest()).toBe(expected(new Uint8Array(48_000_000)))
})

test('the thread ends after a while without work, and not before; then it starts again', async () => {
  const thread = createHashThread({ idle: 100 })
  expect(thread.isRunning).toBe(false)
  const [first, second] = [thread.begin(), thread.begin()]
  await first.add(new Uint8Array(10))
  await first.digest()
  // Another one ends meanwhile.
  const other = createHashThread({ idle: 100 })
  await other.begin().digest()
  await eventually('the end of the other thread', () => !other.isRunning)
  expect(thread.isRunning).toBe(true)
  second.drop()
  await eventually('the end of the thread', () => !thread.isRunning)
  const third = thread.begin()
  await third.add(new Uint8Array(3))
  expect(await third.digest()).toBe(expected(new Uint8Array(3)))
})
