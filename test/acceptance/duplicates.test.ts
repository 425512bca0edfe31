/** Files with equal contents by address: the list, keeping one of each, undo as one, and what is refused. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { answered, expectError } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { type LibraryFile, sharedLibrary } from '../support/library.ts'
import { seedFiles, setRetrievals } from '../support/seed.ts'
import { emptyTrash, trashOf } from '../support/trash.ts'

const on = sharedLibrary()
const ROUTE = 'maintenance/doppelte'

interface Group {
  sha256: string
  size: number
  dateien: number
  bytes: number
  beispiele: LibraryFile[]
}
interface Groups {
  gruppen: Group[]
  gesamt: number
  ueberzaehlig: number
  bytes: number
}
const groups = async (query = ''): Promise<Groups> => answered<Groups>(await on.get(`${ROUTE}${query}`))
const paths = ({ beispiele }: Group) => beispiele.map(({ path }) => path)
const keep = (...gruppen: object[]) => on.post(ROUTE, { gruppen })
const choice = ({ sha256, dateien, beispiele }: Group, at = 0) => ({
  sha256,
  dateien,
  behalten: beispiele[at]!.path,
})

beforeEach(async () => {
  for (const { path } of (await on.list({ unterordner: 1, anzahl: 200 })).dateien)
    await on.done('media/loeschen', { pfade: [path] })
  await emptyTrash(on.service, on.session)
})

describe('the list', () => {
  test('is empty without equal files; equal length alone is not equal', async () => {
    await on.fill('a', { 'x.txt': 'eins', 'y.txt': 'zwei' })
    expect(await groups()).toMatchObject({ gruppen: [], gesamt: 0, ueberzaehlig: 0, bytes: 0 })
  })

  test('has the largest waste first, with totals of all pages', async () => {
    await on.fill('a', { 'klein-1.txt': 'k', 'klein-2.txt': 'k', 'klein-3.txt': 'k', 'allein.txt': 'allein' })
    await on.fill('b', { 'gross-1.txt': 'grosser Inhalt', 'tief/gross-2.txt': 'grosser Inhalt' })
    const { gruppen, ...totals } = await groups()
    expect(gruppen.map(({ size, dateien, bytes }) => [size, dateien, bytes])).toEqual([
      [14, 2, 14],
      [1, 3, 2],
    ])
    expect(totals).toMatchObject({ gesamt: 2, ueberzaehlig: 3, bytes: 16, seite: 1 })
    expect(await groups('?seite=2')).toMatchObject({ gruppen: [], gesamt: 2, ueberzaehlig: 3, bytes: 16 })
    await on.done('media/loeschen', { pfade: ['b/gross-1.txt'] })
    expect((await groups()).gruppen.map(({ size }) => size)).toEqual([1])
  })

  test('of a group the most viewed comes first, then the oldest; at most twelve are named', async () => {
    await on.fill('a', Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`f-${at}.txt`, 'gleich'])))
    await setRetrievals(on.service.dataDir, 'a/f-7.txt', 9)
    await setRetrievals(on.service.dataDir, 'a/f-3.txt', 4)
    await onDatabase(on.service.dataDir, `update media set updated_at = 5 where path = 'a/f-11.txt'`)
    const [group] = (await groups()).gruppen
    expect(paths(group!).slice(0, 3)).toEqual(['a/f-7.txt', 'a/f-3.txt', 'a/f-11.txt'])
    expect([group!.dateien, group!.beispiele.length]).toEqual([15, 12])
  })

  test('many files: quickly', async () => {
    await seedFiles(on.service.dataDir, 'viele', 5000)
    await onDatabase(
      on.service.dataDir,
      `update media set size = 7, sha256 = '${'a'.repeat(64)}' where nr % 2 = 0`,
    )
    const started = performance.now()
    const { gruppen, gesamt } = await groups()
    expect(performance.now() - started).toBeLessThan(5000)
    expect([gesamt, gruppen[0]!.dateien >= 2499]).toEqual([1, true])
    await onDatabase(on.service.dataDir, `delete from media where path like 'viele/%'`)
  })
})

describe('keeping one', () => {
  test('the others go to the trash, say why, and come back as one', async () => {
    const content = {
      'eins.txt': 'gleich',
      'zwei.txt': 'gleich',
      'tief/drei.txt': 'gleich',
      'anders.txt': 'ander',
    }
    await on.fill('a', { ...content, 'p-1.txt': 'paar', 'p-2.txt': 'paar' })
    const { gruppen } = await groups()
    const two = gruppen.map(group => choice(group, group.dateien - 1))
    const response = await keep(...two)
    expect([response.status, await response.json()]).toEqual([200, { geloescht: 3, bytes: 16 }])
    const kept = two.map(({ behalten }) => behalten)
    expect(await on.below('a')).toEqual([...kept, 'a/anders.txt'].sort())
    const { eintraege } = await trashOf(on.service, on.session)
    expect(eintraege.map(({ grund }) => grund)).toEqual(['geloescht', 'geloescht', 'geloescht'])
    const entries = await on.history('was=geloescht&pfad=a/')
    expect(
      entries
        .slice(0, 3)
        .map(({ einzelheiten }) => einzelheiten)
        .sort(),
    ).toEqual([kept[0], kept[0], kept[1]].map(path => `gleicher Inhalt wie ${path}`).sort())
    const grouped = (await on.history('gruppen=1&was=geloescht')) as unknown as { dateien: number }[]
    expect(grouped[0]).toMatchObject({ dateien: 3 })

    const aktion = response.headers.get('x-aktion')
    expect(await on.done('verlauf/zuruecknehmen', { aktion })).toMatchObject({
      zurueckgenommen: 3,
      abgelehnt: [],
    })
    expect((await on.below('a')).length).toBe(6)
    await on.holds('a/tief/drei.txt', 'gleich')
    expect((await groups()).ueberzaehlig).toBe(3)
  })

  test('what somebody deletes by hand is not taken back by its action', async () => {
    await on.fill('a', { 'x.txt': 'x' })
    await on.done('media/loeschen', { pfade: ['a/x.txt'] })
    const [entry] = (await on.history('gruppen=0&was=geloescht')) as unknown as { aktion?: string }[]
    await expectError(await on.post('verlauf/zuruecknehmen', { aktion: entry?.aktion ?? 'keine' }), 404)
  })

  test('a count that has changed, a file that is not there or has another content: nothing happens', async () => {
    await on.fill('a', { '1.txt': 'gleich', '2.txt': 'gleich', '3.txt': 'ander', '4.txt': 'ander' })
    const [group, other] = (await groups()).gruppen
    const good = choice(group!)
    const refused = async (status: number, bad: object) => {
      await expectError(await keep(choice(other!), { ...good, ...bad }), status)
      expect((await on.below('a')).length).toBe(4)
    }
    await refused(409, { dateien: 3 })
    await refused(404, { behalten: 'a/weg.txt' })
    await refused(404, { behalten: choice(other!).behalten })
    await refused(400, { sha256: 'kurz' })
    await refused(400, { dateien: 1 })
    await expectError(await keep(good, good), 400, /mehrmals/)
    await expectError(await keep(), 400)
    expect((await keep(good)).status).toBe(200)
  })
})

test('for operators only: editors are refused before the body', async () => {
  const account = { benutzer: 'red', passwort: 'redaktion-123' }
  await on.done('benutzer', { ...account, rolle: 'redaktion' })
  const session = await signIn(on.service, account)
  await expectError(await dash(on.service, ROUTE, { session }), 403)
  await expectError(await dash(on.service, ROUTE, { session, json: 'unsinn' }), 403)
})
