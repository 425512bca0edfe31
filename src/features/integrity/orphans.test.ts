import { describe, expect, test } from 'bun:test'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../../base/ids.ts'
import { createLog } from '../../base/log.ts'
import type { ServiceEvent } from '../../contract/files/events.ts'
import { createLeases } from '../../jobs/leases.ts'
import { objectName } from '../../storage/names.ts'
import { STEADY_CLOCK } from '../../testing/instance.ts'
import { nightlySweep } from './nightly.ts'
import { createOrphans } from './orphans.ts'
import { type IntegrityInstance, openIntegrityInstance } from './testing.ts'

const HOUR = 3_600_000
const lines: string[] = []
const log = createLog({ level: 'debug', isHumanReadable: false, write: line => lines.push(line) })

async function orphan(world: IntegrityInstance, path: string, content = 'left'): Promise<string> {
  const name = objectName(path, newId())
  await mkdir(dirname(world.at(name)), { recursive: true })
  await writeFile(world.at(name), content)
  return name
}
function orphansOf(world: IntegrityInstance, later: number, events: ServiceEvent[] = []) {
  const coordination = createLeases({ ...world, newId, now: Date.now, log })
  const now = () => Date.now() + later
  const publish = (event: ServiceEvent) => void events.push(event)
  return { coordination, orphans: createOrphans({ ...world, coordination, publish, now }) }
}

describe('cleaning up', () => {
  test('removes what is old and has no entry, and says so; what has one stays', async () => {
    await using world = await openIntegrityInstance()
    const events: ServiceEvent[] = []
    const left = await orphan(world, 'x/a.png')
    const { object } = await world.store('fine.txt', 'fine')
    const { orphans } = orphansOf(world, 2 * HOUR, events)
    const found = { ohne_eintrag: [left], bytes: 4, zu_jung: 0 }
    expect(await orphans.find()).toMatchObject({ ...found, entfernt: 0 })
    expect(await Bun.file(world.at(left)).exists()).toBe(true)
    expect(await orphans.cleanUp()).toMatchObject({ ...found, entfernt: 1 })
    expect(await Bun.file(world.at(left)).exists()).toBe(false)
    expect(await Bun.file(world.at(object)).exists()).toBe(true)
    expect(await orphans.find()).toMatchObject({ ohne_eintrag: [], entfernt: 0 })
    expect(events.at(-1)?.data).toEqual({ aufgabe: 'verwaiste', erledigt: 1, gesamt: null, fertig: true })
  })

  test('is refused with 409 while another sweep is under way, and removes nothing then', async () => {
    await using world = await openIntegrityInstance()
    const left = await orphan(world, 'a.png')
    const { orphans, coordination } = orphansOf(world, 2 * HOUR)
    await coordination.exclusively('sweep', async () => {
      await expect(orphans.cleanUp()).rejects.toMatchObject({ status: 409 })
    })
    expect(await Bun.file(world.at(left)).exists()).toBe(true)
  })
})

test('what is about to be removed anyway is no orphan', async () => {
  await using world = await openIntegrityInstance()
  const [doomed, left] = [await orphan(world, 'doomed.txt'), await orphan(world, 'left.txt')]
  await world.database.transaction(tx =>
    tx.insertInto('discard').values({ object: doomed, due_at: 0 }).execute(),
  )
  expect((await orphansOf(world, 60_000).orphans.find()).ohne_eintrag).toEqual([left])
})

test('what is removed while the store is listed is no orphan', async () => {
  await using world = await openIntegrityInstance()
  const [doomed, left] = [await orphan(world, 'doomed.txt'), await orphan(world, 'left.txt')]
  async function* list(root: string) {
    for await (const listed of world.storage.list(root)) {
      if (listed.name === doomed) await rm(world.at(doomed))
      yield listed
    }
  }
  const meanwhile = { ...world, storage: { ...world.storage, list } }
  expect((await orphansOf(meanwhile, 60_000).orphans.find()).ohne_eintrag).toEqual([left])
})

test('long lists are cut, their counts are not', async () => {
  await using world = await openIntegrityInstance()
  await Promise.all(Array.from({ length: 1100 }, (_, nr) => orphan(world, `many/${nr}.txt`)))
  const { orphans } = orphansOf(world, 30 * 60_000)
  const { ohne_eintrag, gesamt, zu_jung, bytes } = await orphans.find()
  expect([ohne_eintrag.length, gesamt.ohne_eintrag, zu_jung, bytes]).toEqual([1000, 1100, 1100, 4400])
})

describe('the nightly sweep', () => {
  const night = (world: IntegrityInstance) =>
    nightlySweep(
      { ...world, clockWatch: STEADY_CLOCK, log, now: () => Date.now() + 2 * HOUR },
      new AbortController().signal,
    )

  test('tells in one message what it removed and what is missing, and the next night only what is new', async () => {
    await using world = await openIntegrityInstance()
    await orphan(world, 'a.png')
    await world.store('known.txt', 'known')
    const lost = await world.store('lost.txt', 'lost')
    await world.store('trashed.txt', 'trashed')
    await rm(world.at((await world.moveFileToTrash('trashed.txt')).object))
    await rm(world.at(lost.object))
    await night(world)
    expect(world.messages).toHaveLength(1)
    expect(world.messages[0]).toContain('ein Objekt ohne Eintrag')
    expect(world.messages[0]).toContain('lost.txt: Die Datei fehlt in der Ablage.')
    expect(world.messages[0]).toContain('trashed.txt (im Papierkorb)')
    await night(world)
    expect(world.messages).toHaveLength(1)
    await orphan(world, 'b.png')
    await orphan(world, 'c.png')
    await night(world)
    expect(world.messages.slice(1)).toEqual([
      'Beim nächtlichen Abgleich lagen 2 Objekte ohne Eintrag in der Ablage; entfernt.',
    ])
    expect(lines.join()).toContain('files without their object')
  })

  test('removes nothing where the rows are lost, and says so every night', async () => {
    await using world = await openIntegrityInstance()
    const left = [await orphan(world, 'a.png'), await orphan(world, 'b.png')]
    for (const nights of [1, 2]) {
      await night(world)
      expect(world.messages).toHaveLength(nights)
      expect(world.messages.at(-1)).toMatch(/2 Dateien ohne Eintrag.*nichts entfernt.*fundus rebuild/)
    }
    for (const name of left) expect(await Bun.file(world.at(name)).exists()).toBe(true)
    // A manual sweep of a database without files removes nothing either.
    await expect(orphansOf(world, 2 * HOUR).orphans.cleanUp()).rejects.toMatchObject({ code: 'rows-lost' })
    for (const name of left) expect(await Bun.file(world.at(name)).exists()).toBe(true)
  })

  test('says nothing when all is well', async () => {
    await using world = await openIntegrityInstance()
    await world.store('fine.txt', 'fine')
    await night(world)
    expect(world.messages).toEqual([])
  })
})
