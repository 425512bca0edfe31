import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openPromise } from 'yauzl'
import { useFolder } from '../../../test/support/folder.ts'
import { type ZipEntry, zipArchive } from './zip-writer.ts'

const root = await useFolder()

async function writtenZip(name: string, entries: AsyncIterable<ZipEntry>): Promise<string> {
  const file = join(root, name)
  await Bun.write(file, Buffer.concat(await Array.fromAsync(zipArchive(entries))))
  return file
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text)
}

const entry = (name: string, text: string): ZipEntry => ({
  name,
  size: Buffer.byteLength(text),
  changedAt: new Date(2026, 10, 15, 12, 30, 20).getTime(),
  bytes: once(text),
})

test('more files than the old field of two bytes can count, umlauts in a name, an empty file', async () => {
  const count = 65_600
  const file = await writtenZip(
    'many.zip',
    (async function* () {
      yield entry('Über uns/größe.txt', 'groß')
      yield entry('empty.txt', '')
      for (let at = 2; at < count; at++) yield entry(`${at}.txt`, String(at))
    })(),
  )
  const zip = await openPromise(file, { autoClose: false })
  expect(zip.entryCount).toBe(count)
  for await (const each of zip.eachEntry()) {
    expect([each.fileName, each.uncompressedSize]).toEqual(['Über uns/größe.txt', 5])
    expect(each.getLastModDate().getTime()).toBe(new Date(2026, 10, 15, 12, 30, 20).getTime())
    break
  }
  zip.close()
})

test('a file of another length than announced breaks the archive off', async () => {
  for (const size of [2, 4]) {
    const wrong = (async function* () {
      yield { ...entry('a.txt', 'abc'), size }
    })()
    await expect(writtenZip('wrong.zip', wrong)).rejects.toThrow('the file a.txt has 3 bytes')
  }
})

test('a reader that goes away ends the reading of the file', async () => {
  let ended = false
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(1000)
    } finally {
      ended = true
    }
  }
  const entries = (async function* () {
    yield { ...entry('endless.bin', ''), size: 1e9, bytes: endless() }
  })()
  const archive = zipArchive(entries)
  for (let at = 0; at < 5; at++) await archive.next()
  await archive.return(undefined)
  expect(ended).toBe(true)
})
