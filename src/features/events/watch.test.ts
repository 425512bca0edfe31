import { afterAll, afterEach, expect, test } from 'bun:test'
import { eventually } from '../../../test/support/wait.ts'
import type { ServiceEvent } from '../../contract/files/events.ts'
import { openSqlite } from '../../database/sqlite/sqlite.ts'
import { useInstance } from '../../testing/instance.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { recordHistory } from '../history/history.store.ts'
import { createChangeWatcher } from './watch.ts'

const { file, database } = await useInstance()
const elsewhere = await openSqlite({ file })
afterAll(async () => {
  await elsewhere.close()
})

const warnings: unknown[] = []
const log = { debug() {}, info() {}, warn: (text: string) => warnings.push(text), error() {} }
let events: ServiceEvent[] = []
let asked = 0
const counting = {
  ...database,
  currentState() {
    asked++
    return database.currentState()
  },
}
const watch = createChangeWatcher({
  database: counting,
  publish: some => void events.push(...some),
  log,
  interval: 5,
})
afterEach(() => {
  watch.stop()
  events = []
})

const upload = (path: string, through = database) =>
  through.transaction(tx => recordHistory(tx, 'service', 7, [{ what: 'hochgeladen', path, bytes: 3 }]))
async function heard(count: number): Promise<ServiceEvent[]> {
  await eventually(`${count} events`, () => events.length >= count)
  // Later checks report nothing more.
  const before = asked
  await eventually('three more looks', () => asked >= before + 3)
  return events
}

test('tells what is written from the start on, by whichever process, once', async () => {
  await upload('before')
  await watch.start()
  await upload('here')
  await upload('there', elsewhere)
  await database.transaction(tx =>
    recordAdministration(tx, { account: 'eve' }, 8, { what: 'DIENST', old: 'a', new: 'b' }),
  )
  const told = await heard(3)
  expect(told.filter(({ name }) => name === 'datei').map(({ data }) => data)).toEqual([
    { zeit: 7, was: 'hochgeladen', pfad: 'here', art: null, bytes: 3, wer: 'Fundus' },
    { zeit: 7, was: 'hochgeladen', pfad: 'there', art: null, bytes: 3, wer: 'Fundus' },
  ])
  // The events contain neither the old nor the new value.
  expect(told.filter(({ name }) => name === 'verwaltung')).toEqual([
    { name: 'verwaltung', data: { zeit: 8, was: 'DIENST', wer: 'eve' } },
  ])
  expect(told).toHaveLength(3)
})

test('what is rolled back is never told', async () => {
  await watch.start()
  const refused = database.transaction(async tx => {
    await recordHistory(tx, 'service', 1, [{ what: 'entfernt', path: 'no', bytes: 1 }])
    throw new Error('refused')
  })
  await refused.catch(() => {})
  await upload('yes')
  expect((await heard(1)).map(({ data }) => 'pfad' in data && data.pfad)).toEqual(['yes'])
})

test('very much at once is one „look again“, and afterwards it goes on', async () => {
  await watch.start()
  const many = Array.from({ length: 1000 }, (_, at) => ({
    what: 'verschoben' as const,
    path: `${at}`,
    bytes: 1,
  }))
  await database.transaction(tx => recordHistory(tx, 'service', 1, many))
  expect(await heard(1)).toEqual([{ name: 'neu_laden', data: {} }])
  await upload('later')
  expect((await heard(2)).map(({ name }) => name)).toEqual(['neu_laden', 'datei'])
})

test('stopped it asks nothing; started again it tells nothing old', async () => {
  await watch.start()
  watch.stop()
  await Bun.sleep(20)
  const before = asked
  await upload('unheard')
  await Bun.sleep(30)
  expect([asked, events]).toEqual([before, []])
  await watch.start()
  await upload('heard')
  expect((await heard(1)).map(({ data }) => 'pfad' in data && data.pfad)).toEqual(['heard'])
  expect(warnings).toEqual([])
})
