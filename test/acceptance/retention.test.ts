/**
 * The routes of retention rules: what they refuse, what a trial shows, what a run moves, and how it is
 * undone.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { expectError, read } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { type Refused, sharedLibrary } from '../support/library.ts'
import { embeddedOnly } from '../support/modes.ts'
import { emptyTrash, restore, trashOf } from '../support/trash.ts'

const DAY = 24 * 60 * 60 * 1000
const on = sharedLibrary()

interface Rule {
  ordner: string
  tage: number | null
  ab?: string
}
interface Tried extends Rule {
  dateien: number
  bytes: number
  beispiele: string[]
}
const put = (regeln: unknown) =>
  dash(on.service, 'fristen', { method: 'PUT', json: { regeln }, session: on.session })
async function save(...regeln: Rule[]): Promise<void> {
  expect((await put(regeln)).status).toBe(200)
}
const savedRules = async () => (await (await on.get('fristen')).json()) as { regeln: Rule[] }
const tryRules = async (...regeln: Rule[]) =>
  (await on.done<{ regeln: Tried[] }>('fristen/probe', { regeln })).regeln
const run = () => on.done<{ dateien: number; bytes: number }>('fristen/ausfuehren', {})
const by = (ordner: string, tage: number | null, ab = 'hochgeladen'): Rule => ({ ordner, tage, ab })

/** Makes the files of a folder this many days older. */
const age = (folder: string, days: number) =>
  onDatabase(
    on.service.dataDir,
    `update media set updated_at = updated_at - ${days * DAY} where path like '${folder}%'`,
  )
const groups = async () =>
  (await on.history('gruppen=1&was=geloescht')) as unknown as {
    aktion: string
    dateien: number
    wer: string
    einzelheiten: string | null
  }[]

afterEach(async () => {
  await save()
  await emptyTrash(on.service, on.session)
})

describe('the rules', () => {
  test('are answered as they were saved, in their order; none to begin with', async () => {
    expect(await savedRules()).toEqual({ regeln: [] })
    const regeln = [by('b/c', 30), by('', 36500, 'abgerufen'), { ordner: 'a', tage: null }, by('d', null)]
    const response = await put(regeln)
    expect(await response.json()).toEqual({ regeln })
    expect(await savedRules()).toEqual({ regeln })
    await on.service.restart()
    expect(await savedRules()).toEqual({ regeln })
  })

  test('50 are taken, a final slash is cut', async () => {
    const many = Array.from({ length: 50 }, (_, at) => by(`f${at}/`, 1))
    await save(...many)
    expect((await savedRules()).regeln.map(({ ordner }) => ordner)).toEqual(many.map((_, at) => `f${at}`))
  })

  test.each<[what: string, regeln: unknown, names: RegExp]>([
    ['51 rules', Array.from({ length: 51 }, (_, at) => by(`f${at}`, 1)), /regeln.*50/],
    ['a folder twice', [by('a', 1), by('b', 1), by('a', 2)], /regeln\.2\.ordner.*mehrmals/],
    ['a folder twice, written differently', [by('a', 1), by('a/', null)], /regeln\.1\.ordner/],
    ['no days', [{ ordner: 'a', ab: 'hochgeladen' }], /regeln\.0\.tage/],
    ['0 days', [by('a', 0)], /regeln\.0\.tage.*1 bis 36500/],
    ['36501 days', [by('a', 36501)], /regeln\.0\.tage/],
    ['half a day', [by('a', 0.5)], /regeln\.0\.tage/],
    ['days as text', [{ ...by('a', 1), tage: '1' }], /regeln\.0\.tage/],
    ['no start', [{ ordner: 'a', tage: 1 }], /regeln\.0\.ab/],
    ['a start of null', [{ ordner: 'a', tage: 1, ab: null }], /regeln\.0\.ab/],
    ['an unknown start', [by('a', 1, 'geloescht')], /regeln\.0\.ab/],
    ['no folder', [{ tage: 1, ab: 'hochgeladen' }], /regeln\.0\.ordner/],
    ['an invalid folder', [by('../a', 1)], /regeln\.0\.ordner/],
    ['an unknown field', [{ ...by('a', 1), tag: 1 }], /tag/],
    ['no list', {}, /regeln/],
  ])('%s: 400, saved and tried, and nothing changes', async (_, regeln, names) => {
    await save(by('stays', 5))
    await expectError(await put(regeln), 400, names)
    await expectError(await on.post('fristen/probe', { regeln }), 400, names)
    expect((await savedRules()).regeln).toEqual([by('stays', 5)])
  })

  test('a change is in the history of administration', async () => {
    await save(by('a', 30), { ordner: 'b', tage: null })
    const { eintraege } = (await (await on.get('verwaltung')).json()) as { eintraege: unknown[] }
    expect(eintraege[0]).toMatchObject({
      was: 'fristen_geaendert',
      wer: 'admin',
      neu: 'a: 30 (hochgeladen), b: –',
    })
  })
})

test('tried, saved, run, taken back', async () => {
  await on.fill('', [
    'weg/1.txt',
    'weg/2.txt',
    'weg/tief/3.txt',
    'weg/bleibt/4.txt',
    'wegen/5.txt',
    'oben.txt',
  ])
  for (const folder of ['weg', 'oben']) await age(folder, 31)
  const rules = [by('weg', 30), { ordner: 'weg/bleibt', tage: null }, by('', 5000)]
  const trial = await tryRules(...rules)
  expect(trial.map(({ dateien, bytes }) => [dateien, bytes])).toEqual([
    [3, 9 + 9 + 14],
    [0, 0],
    [0, 0],
  ])
  expect(trial[0]).toMatchObject(rules[0]!)
  expect(trial[0]!.beispiele.sort()).toEqual(['weg/1.txt', 'weg/2.txt', 'weg/tief/3.txt'])
  // Neither a trial nor saving moves anything.
  await save(...rules)
  expect((await on.below('weg')).length).toBe(4)

  expect(await run()).toEqual({ dateien: 3, bytes: 32 })
  expect(await on.below('weg')).toEqual(['weg/bleibt/4.txt'])
  expect((await read(on.service, 'weg/1.txt')).status).toBe(404)
  const { eintraege } = await trashOf(on.service, on.session)
  expect(eintraege.map(({ path, grund }) => [path, grund]).sort()).toEqual([
    ['weg/1.txt', 'frist'],
    ['weg/2.txt', 'frist'],
    ['weg/tief/3.txt', 'frist'],
  ])
  const [group] = await groups()
  expect(group).toMatchObject({ dateien: 3, wer: 'admin', einzelheiten: 'Frist: weg' })

  const back = await on.post('verlauf/zuruecknehmen', { aktion: group!.aktion })
  expect(await back.json()).toEqual({ zurueckgenommen: 3, abgelehnt: [] })
  expect(back.headers.get('X-Aktion')).toBeTruthy()
  expect((await on.below('weg')).length).toBe(4)
  await on.holds('weg/tief/3.txt', 'weg/tief/3.txt')
  // For a restored file the period starts again.
  expect(await run()).toEqual({ dateien: 0, bytes: 0 })
  const again = await on.done<{ abgelehnt: Refused[] }>('verlauf/zuruecknehmen', { aktion: group!.aktion })
  expect(again).toMatchObject({ zurueckgenommen: 0, abgelehnt: [{}, {}, {}] })
})

test('one entry of the history per rule, each taken back by itself', async () => {
  await on.fill('', ['eins/a.txt', 'eins/b.txt', 'zwei/a.txt', 'zwei/b.txt'])
  for (const folder of ['eins', 'zwei']) await age(folder, 10)
  await save(by('eins', 5), by('zwei', 5))
  expect((await run()).dateien).toBe(4)
  const [second, first] = await groups()
  expect([first?.einzelheiten, second?.einzelheiten]).toEqual(['Frist: eins', 'Frist: zwei'])
  await on.done('verlauf/zuruecknehmen', { aktion: first!.aktion })
  expect([await on.below('eins'), await on.below('zwei')]).toEqual([['eins/a.txt', 'eins/b.txt'], []])
})

// Another machine writes its counts within 30 seconds.
embeddedOnly.oneProcess('a retrieval counts as soon as it was answered', async () => {
  await on.fill('', ['abruf/benutzt.txt', 'abruf/unbenutzt.txt'])
  await age('abruf', 10)
  await save(by('abruf', 5, 'abgerufen'))
  await (await read(on.service, 'abruf/benutzt.txt')).text()
  expect(await tryRules(by('abruf', 5, 'abgerufen'))).toMatchObject([{ beispiele: ['abruf/unbenutzt.txt'] }])
  expect((await run()).dateien).toBe(1)
  expect(await on.below('abruf')).toEqual(['abruf/benutzt.txt'])
})

test('renaming makes no file younger; overwriting and restoring start anew', async () => {
  await on.fill('', ['alt/umbenannt.txt', 'alt/ersetzt.txt', 'alt/zurueck.txt'])
  await age('alt', 10)
  await save(by('alt', 5))
  await on.done('media/umbenennen', { pfad: 'alt/umbenannt.txt', name: 'anders.txt' })
  await on.fill('', { 'alt/ersetzt.txt': 'neu' })
  const { nummern } = await on.done<{ nummern: number[] }>('media/loeschen', { pfade: ['alt/zurueck.txt'] })
  await restore(on.service, on.session, ...nummern)
  expect((await run()).dateien).toBe(1)
  expect(await on.below('alt')).toEqual(['alt/ersetzt.txt', 'alt/zurueck.txt'])
})

describe('dates', () => {
  const MOMENT = expect.any(Number)
  interface Dates {
    naechster_lauf: number
    regeln: { ordner: string; naechste: number | null }[]
  }

  test('of the rules, and of one file', async () => {
    await on.fill('', ['termin/a.txt', 'frei/a.txt', 'ohne.txt'])
    await age('termin', 10)
    await save(by('termin', 30), by('leer', 5), { ordner: 'frei', tage: null })
    const dates = (await (await on.get('fristen/termine')).json()) as Dates
    expect(dates).toEqual({
      naechster_lauf: MOMENT,
      regeln: [
        { ordner: 'termin', naechste: MOMENT },
        { ordner: 'leer', naechste: null },
        { ordner: 'frei', naechste: null },
      ],
    })
    const wait = (at: number | null) => (at! - Date.now()) / DAY
    expect(wait(dates.naechster_lauf)).toBeGreaterThan(0)
    expect(wait(dates.naechster_lauf)).toBeLessThan(1.1)
    const next = dates.regeln[0]!.naechste
    expect(wait(next)).toBeGreaterThan(19.9)
    expect(wait(next)).toBeLessThan(21.1)
    const ofFile = async (path: string) => (await on.get(`fristen/datei/${path}`)).json()
    expect(await ofFile('termin/a.txt')).toEqual({ regel: by('termin', 30), seit: MOMENT, endet_am: next })
    expect(await ofFile('frei/a.txt')).toEqual({
      regel: { ordner: 'frei', tage: null },
      seit: null,
      endet_am: null,
    })
    expect(await ofFile('ohne.txt')).toEqual({ regel: null, seit: null, endet_am: null })
    await expectError(await on.get('fristen/datei/gibt/es/nicht.txt'), 404)
  })
})
