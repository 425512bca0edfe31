import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { Failure } from '../../errors/errors.ts'
import { readJson } from './json.ts'

const schema = z.object({
  name: z.string().min(2, 'ist viel zu kurz'),
  anzahl: z.number().int().min(1).max(9).optional(),
  ja: z.boolean().optional(),
  art: z.enum(['auf', 'ab']).optional(),
  liste: z.array(z.string()).max(2).optional(),
  innen: z.strictObject({ tief: z.string() }).optional(),
})

const JSON_HEADERS = { 'Content-Type': 'application/json' }
const request = (body: Bun.BodyInit, headers: Record<string, string> = JSON_HEADERS) =>
  new Request('http://localhost/', { method: 'POST', body, headers })

async function refusal(sent: Request, limit?: number): Promise<[number, string]> {
  const refused = await readJson(sent, schema, limit).catch(error => error)
  if (!(refused instanceof Failure)) throw new Error(`not refused: ${JSON.stringify(refused)}`)
  return [refused.status, refused.sentence]
}

test('what fits comes through, and only what the schema knows', async () => {
  const body = JSON.stringify({ name: 'ok ü', ja: true, more: 1 })
  expect(await readJson(request(body), schema)).toEqual({ name: 'ok ü', ja: true })
})

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
])('the type may be %s: other sites are refused by their origin, not by it', async type => {
  const sent = request('{"name":"ok"}', { 'Content-Type': type })
  expect(await readJson(sent, schema)).toEqual({ name: 'ok' })
})

describe('broken JSON', () => {
  test.each<[string, Bun.BodyInit]>([
    ['nothing', ''],
    ['half an object', '{"name": "o'],
    ['a trailing comma', '{"name": "ok",}'],
    ['something after it', '{"name": "ok"}x'],
    ['NaN', '{"anzahl": NaN}'],
    ['broken UTF-8', new Uint8Array([...Buffer.from('{"name":"a'), 0xff, ...Buffer.from('b"}')])],
  ])('%s', async (_, body) => {
    expect(await refusal(request(body))).toEqual([400, 'Die Anfrage enthält kein gültiges JSON.'])
  })
})

describe('what the schema refuses is told with its field', () => {
  test.each<[unknown, string]>([
    [{}, 'Das Feld „name“ fehlt.'],
    [{ name: null }, 'Das Feld „name“ muss ein Text sein.'],
    [{ name: 5 }, 'Das Feld „name“ muss ein Text sein.'],
    [{ name: ['ok'] }, 'Das Feld „name“ muss ein Text sein.'],
    [{ name: 'a' }, 'Das Feld „name“ ist viel zu kurz.'],
    [{ name: 'ok', anzahl: '1' }, 'Das Feld „anzahl“ muss eine Zahl sein.'],
    [{ name: 'ok', anzahl: 1.5 }, 'Das Feld „anzahl“ muss eine ganze Zahl sein.'],
    [{ name: 'ok', anzahl: 0 }, 'Das Feld „anzahl“ muss mindestens 1 sein.'],
    [{ name: 'ok', anzahl: 10 }, 'Das Feld „anzahl“ darf höchstens 9 sein.'],
    [{ name: 'ok', ja: 'true' }, 'Das Feld „ja“ muss true oder false sein.'],
    [{ name: 'ok', art: 'x' }, 'Das Feld „art“ muss „auf“ oder „ab“ sein.'],
    [{ name: 'ok', liste: 'x' }, 'Das Feld „liste“ muss eine Liste sein.'],
    [{ name: 'ok', liste: ['a', 5] }, 'Das Feld „liste.1“ muss ein Text sein.'],
    [{ name: 'ok', liste: ['a', 'b', 'c'] }, 'Das Feld „liste“ ist zu lang.'],
    [{ name: 'ok', innen: { tief: 'x', mehr: 1 } }, 'Das Feld „innen“ enthält Unbekanntes: „mehr“.'],
    [null, 'Die Anfrage muss ein Objekt sein.'],
    [[], 'Die Anfrage muss ein Objekt sein.'],
    ['name', 'Die Anfrage muss ein Objekt sein.'],
  ])('%j: %s', async (body, sentence) => {
    expect(await refusal(request(JSON.stringify(body)))).toEqual([400, sentence])
  })
})

describe('null', () => {
  test('for a field that may be left out is as if it were', async () => {
    const nulls = { name: 'ok', anzahl: null, ja: null, art: null, liste: null, innen: null }
    expect(await readJson(request(JSON.stringify(nulls)), schema)).toEqual({ name: 'ok' })
  })

  test('for one with a default is that', async () => {
    const withDefault = z.object({ ordner: z.string().default('oben') })
    expect(await readJson(request('{"ordner":null}'), withDefault)).toEqual({ ordner: 'oben' })
  })

  test('keeps its meaning where the schema gives it one', async () => {
    const clearing = z.object({ grenze: z.number().nullable() }).partial()
    expect(await readJson(request('{"grenze":null}'), clearing)).toEqual({ grenze: null })
  })

  test.each<[unknown, string]>([
    [{ name: null }, 'Das Feld „name“ muss ein Text sein.'],
    [{ name: 'ok', liste: [null] }, 'Das Feld „liste.0“ muss ein Text sein.'],
  ])('the twin: %j, %s', async (body, sentence) => {
    expect(await refusal(request(JSON.stringify(body)))).toEqual([400, sentence])
  })
})

describe('the size is bounded', () => {
  const sized = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - '{"name":""}'.length) })

  test('exactly the limit passes, one byte more does not', async () => {
    expect(await readJson(request(sized(1000)), schema, 1000)).toHaveProperty('name')
    expect(await refusal(request(sized(1001)), 1000)).toEqual([413, expect.stringContaining('1000')])
  })

  test('64 KB unless told otherwise', async () => {
    expect(await readJson(request(sized(65_536)), schema)).toHaveProperty('name')
    expect((await refusal(request(sized(65_537))))[0]).toBe(413)
  })

  test('an announced length is enough: not a byte is read', async () => {
    const untouched = new ReadableStream({
      pull: () => {
        throw new Error('read')
      },
    })
    const sent = request(untouched, { ...JSON_HEADERS, 'Content-Length': '70000' })
    expect((await refusal(sent))[0]).toBe(413)
  })

  test('and without one it ends where the limit is', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1000
        controller.enqueue(new Uint8Array(1000).fill(32))
      },
    })
    expect((await refusal(request(endless)))[0]).toBe(413)
    expect(sent).toBeLessThan(200_000)
  })
})
