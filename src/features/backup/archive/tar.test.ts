import { describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { openFolder } from '../../../../test/support/folder.ts'
import { END_BYTES, paddingOf, type ReadAt, readEntry, type TarEntry, tarHeader } from './tar.ts'

const GB = 1024 ** 3
const LONG = `dateien/${'x'.repeat(200)}`

const entries: TarEntry[] = [
  { name: 'a', size: 0, time: 0 },
  { name: 'dateien/b.png', size: 511, time: 1_794_725_695 },
  { name: 'y'.repeat(100), size: 512, time: 1 },
  { name: 'y'.repeat(101), size: 513, time: 1 },
  { name: LONG, size: 3, time: 86_400 },
]
const content = ({ size }: TarEntry) => Buffer.alloc(size, 'c')
const archive = Buffer.concat([
  ...entries.flatMap(entry => [tarHeader(entry), content(entry), Buffer.alloc(paddingOf(entry.size))]),
  Buffer.alloc(END_BYTES),
])
const reading =
  (bytes: Uint8Array): ReadAt =>
  async (position, length) =>
    bytes.subarray(position, position + length)

describe('headers', () => {
  test('are read by a library', async () => {
    const found: TarEntry[] = []
    const reader = Readable.from([archive]).pipe(extract())
    for await (const entry of reader) {
      const { name, size = 0, mtime } = entry.header
      found.push({ name, size, time: (mtime?.getTime() ?? 0) / 1000 })
      entry.resume()
    }
    expect(found).toEqual(entries)
  })

  test('are read by the tar of the system, which takes the files out byte for byte', async () => {
    await using temporary = await openFolder()
    const folder = temporary.path
    await writeFile(join(folder, 'a.tar'), archive)
    const { exitCode, stderr } = Bun.spawnSync(['tar', 'xf', 'a.tar'], { cwd: folder })
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
    for (const entry of entries) expect(await readFile(join(folder, entry.name))).toEqual(content(entry))
  })

  test.each([8 * GB - 1, 8 * GB, 3000 * GB])('a size of %d is read back, by a library too', async size => {
    const header = tarHeader({ name: LONG, size, time: 5 })
    expect(await readEntry(reading(header), 0)).toEqual({ name: LONG, size, time: 5, start: header.length })
    const seen = Promise.withResolvers<number | undefined>()
    const reader = extract()
    reader.on('entry', ({ size }) => seen.resolve(size))
    reader.write(header)
    expect(await seen.promise).toBe(size)
  })
})

describe('reading back', () => {
  test('finds what was written, one after the other, up to the end', async () => {
    const found: TarEntry[] = []
    for (let position = 0; ; ) {
      const entry = await readEntry(reading(archive), position)
      if (entry === null) break
      const { start, ...rest } = entry
      found.push(rest)
      position = start + rest.size + paddingOf(rest.size)
    }
    expect(found).toEqual(entries)
  })

  /** The rest of a long name is in no header checksum; there the list of checksums notices the change. */
  test.each(entries.slice(1))('any other byte anywhere in a header is seen: $name', async entry => {
    const header = tarHeader(entry)
    for (let at = 0; at < header.length; at++) {
      for (const flip of [1, 0x20, 0x80, 0xff]) {
        const changed = Buffer.from(header)
        changed[at]! ^= flip
        const found = await readEntry(reading(changed), 0)
        const elsewhere = found !== null && entry.name.length > 100 && found.name !== entry.name
        if (!elsewhere) expect([at, flip, found]).toEqual([at, flip, null])
      }
    }
  })

  test('a header that is cut off is none', async () => {
    for (const entry of entries) {
      const header = tarHeader(entry)
      for (const length of [0, 1, 511, header.length - 1])
        expect(await readEntry(reading(header.subarray(0, length)), 0)).toBeNull()
    }
  })
})
