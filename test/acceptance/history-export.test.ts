/** `GET /api/dash/verlauf/export`: a CSV that spreadsheets can read but not execute. */
import { expect, test } from 'bun:test'
import { expectError, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { signedInService } from '../support/shared-service.ts'

const on = signedInService()

const BOM = '\uFEFF'
const MOST = 20_000

async function lines(query = ''): Promise<string[]> {
  const response = await dash(on.service, `verlauf/export${query}`, { session: on.session })
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  expect(text.startsWith(BOM)).toBe(true)
  expect(text.endsWith('\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  return text.slice(1, -2).split('\r\n')
}

test('header and one line for each entry, the newest first', async () => {
  await store(on.service, on.token, 'a/first.txt', '1')
  await store(on.service, on.token, 'a/second.txt', '22')
  const [header, newest, oldest, ...rest] = await lines()
  expect(header).toBe('Zeit;Was;Pfad;Wer;Bytes;Einzelheiten')
  expect(newest).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;hochgeladen;a\/second\.txt;Token test;2;$/)
  expect(oldest).toMatch(/;a\/first\.txt;Token test;1;$/)
  expect(rest).toEqual([])
})

test('comes as a file with the day in its name', async () => {
  const response = await dash(on.service, 'verlauf/export', { session: on.session })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="fundus-verlauf-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
  await response.arrayBuffer()
  const other = await dash(on.service, 'verlauf/export?was=verwaltung', { session: on.session })
  expect(other.headers.get('content-disposition')).toContain('fundus-verwaltung-')
  await other.arrayBuffer()
})

test('takes the filters of the list', async () => {
  await store(on.service, on.token, 'b/third.txt', '333')
  expect(await lines('?pfad=b/')).toHaveLength(2)
  expect(await lines('?was=entfernt')).toHaveLength(1)
  await expectError(await dash(on.service, 'verlauf/export?was=geklaut', { session: on.session }), 400, /was/)
})

test('was=verwaltung is the administration history', async () => {
  const json = { DIENST: 'Bilder; "und" mehr', SICHERUNG_BEHALTEN: 3 }
  expect((await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })).status).toBe(
    200,
  )
  const [header, ...rows] = await lines('?was=verwaltung')
  expect(header).toBe('Zeit;Wer;Was;Alt;Neu')
  expect(rows.find(row => row.includes(';DIENST;'))).toMatch(/;admin;DIENST;Fundus;"Bilder; ""und"" mehr"$/)
  expect(rows.find(row => row.includes('SICHERUNG_BEHALTEN'))).toEndWith(';14;3')
})

test.each(['=1+1', '+1', '-1', '@x', ' =1', '"=1"'])('a name like %j is shown, not run', async name => {
  await dash(on.service, 'einstellungen', { method: 'PUT', json: { DIENST: name }, session: on.session })
  const [, changed = ''] = await lines('?was=verwaltung')
  expect(changed.split(';').at(-1)).toMatch(/^"?'/)
})

test('a name with a formula after a comma is not run by a spreadsheet that is set to commas', async () => {
  await dash(on.service, 'einstellungen', {
    method: 'PUT',
    json: { DIENST: 'x,=cmd()' },
    session: on.session,
  })
  const [, changed = ''] = await lines('?was=verwaltung')
  for (const cell of changed.split(',')) expect(cell).not.toMatch(/^[\s"]*[=+@-]/)
  expect(changed).toEndWith(";x,'=cmd()")
})

test('umlauts are UTF-8', async () => {
  await dash(on.service, 'einstellungen', {
    method: 'PUT',
    json: { DIENST: 'Größe – Öl' },
    session: on.session,
  })
  expect((await lines('?was=verwaltung'))[1]).toEndWith(';Größe – Öl')
})

test('at most 20 000 rows: the newest', async () => {
  await onDatabase(
    on.service.dataDir,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MOST + 50})
    insert into history (at, what, path, who, bytes) select 1700000000000 + i, 'hochgeladen', 'many/' || i, 'seed', i from n`,
  )
  const rows = (await lines('?pfad=many/')).slice(1)
  expect(rows).toHaveLength(MOST)
  expect(rows[0]).toContain(`;many/${MOST + 50};`)
  expect(rows.at(-1)).toContain(';many/51;')
  expect(new Set(rows).size).toBe(MOST)
})

test('a reader that goes away in the middle leaves the service well', async () => {
  const response = await dash(on.service, 'verlauf/export', { session: on.session })
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  expect((await dash(on.service, 'ich', { session: on.session })).status).toBe(200)
})
