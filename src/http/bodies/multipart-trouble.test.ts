/** Forms that are broken, hostile or refused in the middle: always one clear end, and nothing left behind. */

import { describe, expect, test } from 'bun:test'
import { nextTurn } from '../../../test/support/wait.ts'
import { failure } from '../../errors/errors.ts'
import { type FormHandlers, readForm } from './multipart.ts'

const BOUNDARY = 'fundus-boundary'
const END = `--${BOUNDARY}--\r\n`
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, body: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n${body}\r\n`

const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const requestOf = (body: string | ReadableStream<Uint8Array>, type = TYPE) =>
  new Request('http://x/', { method: 'POST', headers: { 'Content-Type': type }, body })

const sizeLimit = { bytes: 3_000_000, createError: () => failure.uploadTooLarge(3_000_000) }

const readAll: FormHandlers = {
  wants: ({ field: name }) => name === 'file',
  receive: async (_, bytes) => void (await Array.fromAsync(bytes)),
}

/** The outcome of reading. Waits for one more turn, in which an unhandled error would surface. */
async function endOf(request: Request, handlers: FormHandlers = readAll): Promise<string> {
  const ended = await readForm(request, handlers, { sizeLimit }).then(
    () => 'read',
    (error: Error & { code?: string }) => error.code ?? error.message,
  )
  await nextTurn()
  return ended
}

const whole = field('a', 'text') + file('file', 'content') + END

describe('a form that is cut off', () => {
  // From the first byte of the first header to the last one before the end is certain.
  const places = Array.from({ length: whole.length - 4 }, (_, at) => at + 1)
  test('is broken wherever it ends', async () => {
    const ends = await Promise.all(places.map(place => endOf(requestOf(whole.slice(0, place)))))
    expect(ends.filter(end => end !== 'form-broken')).toEqual([])
    expect(await endOf(requestOf(whole))).toBe('read')
  })

  test('in a part that nobody wants is broken all the same', async () =>
    expect(await endOf(requestOf(file('other', 'content').slice(0, -3)))).toBe('form-broken'))

  test('in a part whose reader has not begun yet reaches that reader as broken', async () => {
    let heard = ''
    const slow: FormHandlers = {
      wants: () => true,
      async receive(_, bytes) {
        // As if the file to write to had to be created first.
        await nextTurn()
        await Array.fromAsync(bytes).catch(error => {
          heard = error.code
          throw error
        })
      },
    }
    expect(await endOf(requestOf(file('file', 'content').slice(0, -3)), slow)).toBe('form-broken')
    expect(heard).toBe('form-broken')
  })

  test('the reader of a part that is complete keeps it, though the form is broken behind it', async () => {
    let size = 0
    const counting: FormHandlers = {
      wants: () => true,
      async receive(_, bytes) {
        for await (const chunk of bytes) size += chunk.length
      },
    }
    expect(await endOf(requestOf(`${file('file', 'content')}--${BOUNDARY}\r\nConten`), counting)).toBe(
      'form-broken',
    )
    expect(size).toBe('content'.length)
  })
})

describe('a form that is none', () => {
  test.each([
    ['nothing at all', '', TYPE],
    ['no boundary in it', 'just text', TYPE],
    ['no boundary named', whole, 'multipart/form-data'],
    ['another boundary', whole, 'multipart/form-data; boundary=other'],
    ['a broken part header', `--${BOUNDARY}\r\nno colon here\r\n\r\nx\r\n${END}`, TYPE],
  ])('%s', async (_, body, type) => expect(await endOf(requestOf(body, type))).toBe('form-broken'))
})

describe('a form that is too much', () => {
  const KB = 1024
  test.each([
    ['a field of 255 KB', field('a', 'x'.repeat(255 * KB)), 'read'],
    ['a field of 300 KB', field('a', 'x'.repeat(300 * KB)), 'form-too-complex'],
    ['99 fields', field('a', 'x').repeat(99), 'read'],
    ['101 fields', field('a', 'x').repeat(101), 'form-too-complex'],
    ['190 files', file('other', 'x').repeat(190), 'read'],
    ['201 files', file('other', 'x').repeat(201), 'form-too-complex'],
    ['1 MB of text in many fields', field('a', 'x'.repeat(200 * KB)).repeat(5), 'read'],
    ['2 MB of text in many fields', field('a', 'x'.repeat(200 * KB)).repeat(10), 'form-too-complex'],
    ['2 MB of a file that nobody wants', file('other', 'x'.repeat(2000 * KB)), 'read'],
    ['3 MB of files that nobody wants', file('other', 'x'.repeat(500 * KB)).repeat(6), 'upload-too-large'],
    ['3 MB before the first part', `${'x'.repeat(3000 * KB)}\r\n`, 'upload-too-large'],
    ['3 MB behind the last part', END + 'x'.repeat(3000 * KB), 'upload-too-large'],
  ])('%s', async (_, parts, end) => expect(await endOf(requestOf(parts + END))).toBe(end))

  test('is refused in mid-stream: what follows is not read', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(Buffer.from(field(`f${pulled}`, 'x'.repeat(1000))))
      },
    })
    expect(await endOf(requestOf(endless))).toBe('form-too-complex')
    expect(pulled).toBeLessThan(130)
  })
})

describe('a reader that refuses', () => {
  /** Yields `first`, then continues for ever, or stalls. What is not read must stay readable: not locked. */
  function source(first: string, goesOn: boolean) {
    const seen = { pulled: 0 }
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        seen.pulled++
        if (seen.pulled === 1) controller.enqueue(Buffer.from(first))
        else if (goesOn) controller.enqueue(Buffer.alloc(65_536, 'x'))
        else return new Promise<void>(() => {})
      },
    })
    return { seen, stream }
  }
  const refusing = (after: number): FormHandlers => ({
    wants: () => true,
    async receive(_, bytes) {
      let size = 0
      if (after === 0) throw failure.bodyEmpty()
      for await (const chunk of bytes) {
        size += chunk.length
        if (size >= after) throw failure.uploadTooLarge(after)
      }
    },
  })
  const open = file('file', 'x'.repeat(5000)).slice(0, -2)

  test('in mid-stream ends it, with the reader’s own error, and reads no further', async () => {
    const { seen, stream } = source(open, true)
    expect(await endOf(requestOf(stream), refusing(1_000_000))).toBe('upload-too-large')
    expect(seen.pulled).toBeLessThan(60)
    expect(stream.locked).toBe(false)
  })

  test('before it has read anything ends it too', async () => {
    const { stream } = source(open, true)
    expect(await endOf(requestOf(stream), refusing(0))).toBe('body-empty')
    expect(stream.locked).toBe(false)
  })

  test('is heard while the sender makes a pause', async () => {
    const { stream } = source(open, false)
    expect(await endOf(requestOf(stream), refusing(1))).toBe('upload-too-large')
    expect(stream.locked).toBe(false)
  })

  test('the first trouble is the one that is told', async () => {
    let pulled = 0
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (pulled++ === 0) return controller.enqueue(Buffer.from(open))
        await nextTurn()
        controller.close()
      },
    })
    expect(await endOf(requestOf(stream), refusing(1))).toBe('upload-too-large')
  })
})

test('a source that fails ends reading with its own error, and the part with it', async () => {
  let partEnded = ''
  let pulled = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pulled++ === 0) controller.enqueue(Buffer.from(file('file', 'half').slice(0, -2)))
      else controller.error(new Error('connection lost'))
    },
  })
  const end = await endOf(requestOf(stream), {
    wants: () => true,
    receive: async (_, bytes) => {
      await Array.fromAsync(bytes).catch(error => {
        partEnded = error.code
        throw error
      })
    },
  })
  expect(end).toBe('connection lost')
  expect(partEnded).toBe('form-broken')
})
