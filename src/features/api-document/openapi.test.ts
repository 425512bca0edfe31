import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { createApiDocument, type DescribedRoute } from './openapi.ts'
import { apiPage } from './page.ts'
import { schemaText } from './schema-text.ts'

const document = (routes: DescribedRoute[]) =>
  createApiDocument([{ access: 'session', routes }], '1.2.3')('https://x.org')

interface Folder {
  name: string
  ordner: Folder[]
}
const folder: z.ZodType<Folder> = z.lazy(() => z.object({ name: z.string(), ordner: z.array(folder) }))

describe('the document', () => {
  test('a route without a description is there, and has no summary', () => {
    const { paths } = document([{ method: 'GET', path: '/api/dash/secret' }])
    expect(paths['/api/dash/secret']?.get?.summary).toBe('')
  })

  test('parts of the path: one segment and several', () => {
    const { paths } = document([
      { method: 'PATCH', path: '/api/dash/tokens/:id' },
      { method: 'GET', path: '/api/dash/media/:pfad{.+}' },
    ])
    expect(paths['/api/dash/tokens/{id}']?.patch?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ])
    expect(paths['/api/dash/media/{pfad}']?.get?.parameters[0]?.description).toContain('Schrägstriche')
  })

  test('methods of one path stand together', () => {
    const { paths } = document([
      { method: 'GET', path: '/api/dash/tokens' },
      { method: 'POST', path: '/api/dash/tokens' },
    ])
    expect(Object.keys(paths['/api/dash/tokens'] ?? {})).toEqual(['get', 'post'])
  })

  test('a schema that holds itself is put where its references lead', () => {
    const made = document([
      { method: 'GET', path: '/api/dash/folders', api: { summary: 'x', answer: z.array(folder) } },
    ])
    const text = JSON.stringify(made)
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer)
    expect(references.length).toBeGreaterThan(1)
    for (const pointer of references) {
      const target = pointer
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], made)
      expect([pointer, typeof target]).toEqual([pointer, 'object'])
    }
  })

  test('a form by its media type', () => {
    const api = { summary: 'x', forms: { 'multipart/form-data': z.object({ file: z.file() }) } }
    const { paths } = document([{ method: 'POST', path: '/api/dash/upload', api }])
    const content = paths['/api/dash/upload']?.post?.requestBody?.content
    expect(Object.keys(content ?? {})).toEqual(['multipart/form-data'])
    expect(JSON.stringify(content)).toContain('binary')
  })
})

test('the page lets nothing through that a browser would read as markup', () => {
  const api = { summary: '<script>alert(1)</script> & "x"', query: z.object({ 'a<b': z.string() }) }
  const html = apiPage(document([{ method: 'GET', path: '/api/dash/x', api }]), '/doc?"', 'de')
  // The page's own script comes last in the page.
  expect(html.split('<script>')).toHaveLength(2)
  expect(html).not.toContain('a<b')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;')
  expect(html).toContain('href="/doc?&quot;"')
})

test.each<[z.ZodType, string]>([
  [z.string(), 'string'],
  [z.int().nullable(), 'integer | null'],
  [z.array(z.enum(['a', 'b'])), '("a" | "b")[]'],
  [z.object({ a: z.string(), b: z.number().optional() }), '{\n  a: string\n  b?: number\n}'],
  [z.record(z.string(), z.boolean()), '{ [name]: boolean }'],
  [z.literal(true), 'true'],
  [z.unknown(), 'any'],
])('a shape as people write it: %#', (schema, expected) => {
  expect(schemaText(z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>)).toBe(expected)
})
