import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextTurn } from '../../../test/support/wait.ts'
import { type FilePart, isMultipart, readForm } from './multipart.ts'

const BOUNDARY = 'fundus-boundary'
const sizeLimit = { bytes: 10_000_000, createError: () => new Error('too large') }

interface Part {
  name: string
  /** Absent: a text field. */
  filename?: string
  type?: string
  body: Uint8Array | string
}

const bytesOf = (body: Uint8Array | string) => Buffer.from(body as string)

function formOf(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, body }) => [
    bytesOf(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    bytesOf(filename === undefined ? '' : `; filename="${filename}"`),
    bytesOf(`${type === undefined ? '' : `\r\nContent-Type: ${type}`}\r\n\r\n`),
    bytesOf(body),
    bytesOf('\r\n'),
  ])
  return Buffer.concat([...pieces, bytesOf(end)])
}

function requestOf(body: Buffer, cuts: readonly number[] = []): Request {
  const at = [0, ...cuts.map(cut => cut % body.length).toSorted((a, b) => a - b), body.length]
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 1; i < at.length; i++) {
        if (at[i]! > at[i - 1]!) controller.enqueue(new Uint8Array(body.subarray(at[i - 1], at[i])))
      }
      controller.close()
    },
  })
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  return new Request('http://x/', { method: 'POST', headers, body: stream })
}

interface Received extends FilePart {
  hex: string
}

/** Reads a whole form; keeps the parts that `wants` selects. */
async function read(request: Request, wants: (part: FilePart) => boolean = () => true) {
  const files: Received[] = []
  const fields = await readForm(
    request,
    {
      wants,
      async receive(part, bytes) {
        const chunks = await Array.fromAsync(bytes, chunk => Buffer.from(chunk))
        files.push({ ...part, hex: Buffer.concat(chunks).toString('hex') })
      },
    },
    { sizeLimit },
  )
  return { fields: Object.fromEntries(fields), files }
}
const hex = (text: string) => Buffer.from(text).toString('hex')

describe('readForm', () => {
  test('a part declares the type it was sent with, and none when it was sent with none', async () => {
    const sent = [undefined, 'text/plain', undefined, 'Image/PNG; a=b', '', 'no type', 'text/html', undefined]
    const parts = sent.map((type, at) => ({
      name: `n${at}`,
      filename: 'a.txt',
      body: 'x',
      ...(type !== undefined && { type }),
    }))
    const form = formOf([{ name: 'text', type: 'image/gif', body: 'no file' }, ...parts])
    for (const cuts of [[], Array.from(form, (_, at) => at)]) {
      const { files } = await read(requestOf(form, cuts))
      expect(files.map(({ declaredType }) => declaredType)).toEqual([
        ...['', 'text/plain', '', 'image/png', '', '', 'text/html', ''],
      ])
    }
  })

  const part = fc.record<Part>(
    {
      name: fc.constantFrom('file', 'a', 'b', 'c'),
      filename: fc.constantFrom('x.png', 'ohne', 'größe.jpg'),
      // Bodies that resemble boundaries, which confuse parsers.
      body: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('', '\r\n', '--', `\r\n--${BOUNDARY.slice(0, -1)}`, '\r\n\r\n--\r', '-'),
      ),
    },
    { requiredKeys: ['name', 'body'] },
  )

  test('every part comes out as it went in, however the body is chopped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 6 }),
        fc.array(fc.nat(5000), { maxLength: 30 }),
        async (parts, cuts) => {
          const { fields, files } = await read(requestOf(formOf(parts), cuts))
          const sent = parts.filter(({ filename }) => filename !== undefined)
          const key = (file: { filename: string; hex: string }) => `${file.filename} ${file.hex}`
          expect(files.map(key).sort()).toEqual(
            sent
              .map(({ filename, body }) => key({ filename: filename!, hex: bytesOf(body).toString('hex') }))
              .sort(),
          )
          const texts = new Map<string, string>()
          for (const { name, filename, body } of parts) {
            if (filename === undefined && !texts.has(name)) texts.set(name, bytesOf(body).toString('utf8'))
          }
          // Invalid UTF-8 becomes replacement characters; only the presence of the field matters.
          expect(Object.keys(fields).sort()).toEqual([...texts.keys()].sort())
        },
      ),
      { numRuns: 100 },
    )
  })

  test('text fields before and after the file, in any order, the first of a name counts', async () => {
    const file: Part = { name: 'file', filename: 'a.txt', type: 'text/plain', body: 'content' }
    const before: Part = { name: 'path', body: 'one' }
    const after: Part = { name: 'path', body: 'two' }
    for (const [parts, path] of [
      [[before, file], 'one'],
      [[file, after], 'two'],
      [[before, file, after], 'one'],
    ] as const) {
      expect(await read(requestOf(formOf(parts)))).toEqual({
        fields: { path },
        files: [
          {
            field: 'file',
            filename: 'a.txt',
            declaredType: 'text/plain',
            isDecoded: false,
            hex: hex('content'),
          },
        ],
      })
    }
  })

  test('parts that nobody wants are passed over, however large', async () => {
    const large = 'x'.repeat(3_000_000)
    const parts = ['before', 'file', 'after'].map(name => ({
      name,
      filename: 'f',
      body: name === 'file' ? 'me' : large,
    }))
    const { files } = await read(requestOf(formOf(parts), [1_000_000]), ({ field }) => field === 'file')
    expect(files.map(file => file.hex)).toEqual([hex('me')])
  })

  test('a large part comes in pieces, and is never held as a whole', async () => {
    const request = requestOf(formOf([{ name: 'file', filename: 'f', body: 'x'.repeat(4_000_000) }]), [
      ...Array.from({ length: 60 }, (_, at) => at * 65_536),
    ])
    let largest = 0
    let total = 0
    await readForm(
      request,
      {
        wants: () => true,
        async receive(_, bytes) {
          for await (const chunk of bytes) {
            largest = Math.max(largest, chunk.length)
            total += chunk.length
          }
        },
      },
      { sizeLimit },
    )
    expect(total).toBe(4_000_000)
    expect(largest).toBeLessThanOrEqual(200_000)
  })

  test('the next wanted part comes only when the one before was read to its end', async () => {
    const events: string[] = []
    const parts = ['a', 'b', 'c'].map(filename => ({ name: 'file', filename, body: `of ${filename}` }))
    await readForm(
      requestOf(formOf(parts)),
      {
        wants: () => true,
        async receive({ filename }, bytes) {
          events.push(`${filename} begins`)
          await Array.fromAsync(bytes)
          await nextTurn()
          events.push(`${filename} ends`)
        },
      },
      { sizeLimit },
    )
    expect(events).toEqual(['a', 'b', 'c'].flatMap(name => [`${name} begins`, `${name} ends`]))
  })

  test('an empty form has neither fields nor files', async () =>
    expect(await read(requestOf(formOf([])))).toEqual({ fields: {}, files: [] }))
})

describe('file names', () => {
  test.each([
    ['photo.jpg', 'photo.jpg'],
    ['größe ünd.png', 'größe ünd.png'],
    ['日本.png', '日本.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\bilder\\\\a.png', 'a.png'],
    ['/abs/a.png', 'a.png'],
    ['a%20b.png', 'a%20b.png'],
    ['sag \\"ja\\".txt', 'sag "ja".txt'],
  ])('%s arrives as %s', async (sent, got) => {
    const { files } = await read(requestOf(formOf([{ name: 'file', filename: sent, body: 'x' }])))
    expect(files.map(file => file.filename)).toEqual([got])
  })

  test('RFC 5987 form wins over the plain one', async () => {
    const disposition = `form-data; name="file"; filename="plain.png"; filename*=UTF-8''gr%C3%B6%C3%9Fe.png`
    const body = `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`
    expect((await read(requestOf(Buffer.from(body)))).files[0]?.filename).toBe('größe.png')
  })

  test('a part of bytes without a name is a file without a name', async () => {
    const { files } = await read(
      requestOf(formOf([{ name: 'file', type: 'application/octet-stream', body: 'x' }])),
    )
    expect(files).toEqual([
      {
        ...{ field: 'file', filename: '', declaredType: 'application/octet-stream' },
        ...{ isDecoded: false, hex: hex('x') },
      },
    ])
  })

  test('an empty name with a type of its own is a file, as browsers send it for a form without choice', async () => {
    const parts = [{ name: 'file', filename: '', type: 'application/octet-stream', body: '' }]
    const { files } = await read(requestOf(formOf(parts)))
    expect(files).toMatchObject([{ filename: '', hex: '' }])
  })

  test('a text part without a name is a field, not a file', async () => {
    const { fields, files } = await read(requestOf(formOf([{ name: 'file', type: 'text/plain', body: 'x' }])))
    expect([fields, files]).toEqual([{ file: 'x' }, []])
  })
})

test.each([
  ['multipart/form-data; boundary=x', true],
  ['Multipart/Form-Data;boundary=x', true],
  ['multipart/mixed; boundary=x', false],
  ['application/octet-stream', false],
  ['x-multipart/form-data', false],
  [null, false],
])('%p is a form: %p', (type, expected) =>
  expect(
    isMultipart(new Request('http://x/', { method: 'POST', headers: type ? { 'Content-Type': type } : {} })),
  ).toBe(expected),
)
