import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { expectError } from '../support/api.ts'
import { field, filePart, paths, refusedNames, send, sendOk } from '../support/ingest.ts'
import { leftToLong } from '../support/left-out.ts'
import { MULTIPART, multipart } from '../support/multipart.ts'
import { signedInService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'
import { ENCRYPTED, STORED, type ZipEntry, type ZipOptions, zip } from '../support/zip.ts'
import { crcOfZeros, packedZeros } from '../support/zip-bombs.ts'

const MEGABYTE = 1024 * 1024
const LIMIT = 256 * MEGABYTE

// A single file may be as large as the whole archive, so that only the archive's own limits apply.
const shared = signedInService({ ownProcess: true, env: { MAX_UPLOAD_MB: '1024' } })

const good: ZipEntry = { name: 'gut.txt', content: 'good' }

/**
 * An archive alone is refused with this status and nothing of it is stored; among other files the refusal is
 * listed.
 */
async function expectRefused(
  entries: readonly ZipEntry[],
  status: number,
  about: RegExp,
  options: ZipOptions = {},
): Promise<void> {
  const bytes = zip(entries, options)
  const part = filePart('bombe.zip', bytes)
  await storesNothing(shared.service.dataDir, async () => {
    await expectError(await send(shared.service, shared.session, [part]), status, about)
  })
  const form = [field('ueberschreiben', 'true'), filePart('daneben.txt', 'beside'), part]
  const answer = await sendOk(shared.service, shared.session, form)
  expect([paths(answer), refusedNames(answer)]).toEqual([['daneben.txt'], ['bombe.zip']])
  expect(answer.abgelehnt[0]!.grund).toMatch(about)
}

/** Peak resident memory of the service, in bytes. */
const peakMemory = () =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${shared.service.pid}/status`, 'utf8'))![1]) * 1024

// Runs before all others, because the peak never decreases. Only Linux reports it.
test.skipIf(!existsSync('/proc/self/status'))(
  'a large file that says so is unpacked piece by piece',
  async () => {
    const size = 100 * MEGABYTE
    const before = peakMemory()
    const entry = { name: 'nullen.bin', packed: packedZeros(size), crc: crcOfZeros(size), size }
    const answer = await sendOk(shared.service, shared.session, [filePart('p.zip', zip([entry]))])
    expect(answer.gespeichert[0]).toMatchObject({ path: 'nullen.bin', size })
    expect(peakMemory() - before).toBeLessThan(64 * MEGABYTE)
  },
)

describe('5000 entries', () => {
  const folders = (count: number): ZipEntry[] =>
    Array.from({ length: count }, (_, at) => ({ name: `${at}/` }))

  test('are allowed, folders included', async () => {
    const archive = filePart('p.zip', zip([...folders(4999), good]))
    expect(paths(await sendOk(shared.service, shared.session, [field('ordner', 'genau'), archive]))).toEqual([
      'genau/gut.txt',
    ])
  })

  test('one more is not', () => expectRefused([good, ...folders(5000)], 413, /5000 Einträge/))

  test('nor a million of them, said in the end record for large archives', () =>
    expectRefused([good], 413, /5000 Einträge/, { zip64: true, count: 1_000_000 }))
})

describe('256 MB unpacked', () => {
  // Encrypted, so that nothing is unpacked: only the directory is judged.
  const announced = (size: number, name = 'a.bin'): ZipEntry => ({
    name,
    content: 'x',
    size,
    flags: ENCRYPTED,
  })

  test('exactly that much may be announced', async () => {
    const archive = filePart('p.zip', zip([announced(LIMIT / 2), announced(LIMIT / 2, 'b.bin')]))
    expect(refusedNames(await sendOk(shared.service, shared.session, [archive]))).toEqual(['a.bin', 'b.bin'])
  })

  test('one byte more is refused before anything is unpacked', () =>
    expectRefused([good, announced(LIMIT / 2), announced(LIMIT / 2 - 3, 'b.bin')], 413, /256 MB/))

  test('so is a single entry of petabytes', () =>
    expectRefused([good, { ...announced(2 ** 52), zip64: true }], 413, /256 MB/, { zip64: true }))

  leftToLong('and an archive that is larger than that itself', async () => {
    const [head, tail] = new TextDecoder().decode(multipart([filePart('p.zip', '|')])).split('|')
    function* form() {
      yield new TextEncoder().encode(head)
      for (let sent = 0; sent < LIMIT + 17 * MEGABYTE; sent += MEGABYTE) yield new Uint8Array(MEGABYTE)
      yield new TextEncoder().encode(tail)
    }
    const pieces = form()
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { value, done } = pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    })
    await storesNothing(shared.service.dataDir, async () => {
      const headers = { ...MULTIPART, Cookie: `fundus_sitzung=${shared.session}` }
      const response = await fetch(`${shared.service.url}/api/dash/upload`, { method: 'POST', body, headers })
      await expectError(response, 413, /256 MB/)
    })
  })
})

describe('bombs', () => {
  test('announced small, inflating large: refused at the first byte too many, with the entries before it', async () => {
    // Truncated: unpacking it to the end would report it as damaged.
    const packed = packedZeros(120 * MEGABYTE).slice(0, 100_000)
    const bomb = { name: 'bombe.bin', packed, crc: 0, size: 1000 }
    await expectRefused(
      [good, bomb, { name: 'danach.txt', content: 'x' }],
      413,
      /mehr, als sein Verzeichnis angibt/,
    )
  })

  test('by a single byte is enough', () =>
    expectRefused(
      [good, { name: 'a.txt', content: 'hello', size: 4 }],
      413,
      /mehr, als sein Verzeichnis angibt/,
    ))

  test('stored bytes may not be more than announced either', () =>
    expectRefused([{ name: 'a.txt', content: 'hello', size: 4, method: STORED }], 413, /mehr, als/))

  test('nested: an archive inside is a file like any other', async () => {
    const core = zip([{ name: 'a.bin', packed: packedZeros(30 * MEGABYTE), crc: 0, size: 30 * MEGABYTE }])
    const layer = zip(Array.from({ length: 16 }, (_, at) => ({ name: `${at}.zip`, content: core })))
    const answer = await sendOk(shared.service, shared.session, [
      field('ordner', 'verschachtelt'),
      filePart('p.zip', zip([{ name: 'schicht.zip', content: layer }])),
    ])
    expect(answer.gespeichert.map(({ path, size }) => [path, size])).toEqual([
      ['verschachtelt/schicht.zip', layer.length],
    ])
  })
})

describe('entries that share their bytes', () => {
  const kernel: ZipEntry = { name: 'a.bin', content: 'kernel of the bomb' }

  test('many names for the same bytes', () =>
    expectRefused(
      [
        kernel,
        ...['b', 'c', 'd'].map(name => ({ ...kernel, name: `${name}.bin`, offset: 0, directoryOnly: true })),
      ],
      400,
      /denselben Inhalt teilen/,
    ))

  test('one that reaches into the next', () =>
    expectRefused([{ ...kernel, method: STORED, packedSize: 60 }, good], 400, /denselben Inhalt teilen/))

  test('one that reaches into the directory', () =>
    expectRefused([good, { ...kernel, method: STORED, packedSize: 60 }], 400, /denselben Inhalt teilen/))

  test('one whose header lies within the bytes of another', () => {
    const inner = zip([good])
    const outer: ZipEntry = { name: 'x', content: inner, method: STORED }
    // 30 bytes of header and one of name precede the bytes.
    return expectRefused(
      [outer, { ...good, offset: 31, directoryOnly: true }],
      400,
      /denselben Inhalt teilen/,
    )
  })
})
