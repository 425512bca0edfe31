/** Objects without an entry and entries without an object: shown, and on demand the former removed. */
import { ORPHANS_SHOWN, type OrphansAnswer } from '../../contract/maintenance.ts'
import type { Coordination } from '../../coordination/coordination.ts'
import { failure } from '../../errors.ts'
import type { ListedObject } from '../../storage/storage.ts'
import type { Events } from '../events/events.ts'
import { orphans, SWEEP_AGE, type SweepParts, sweep, withoutObject } from '../media/sweep.ts'

/** An upload between its bytes and its row is no orphan. Showing too much does no harm, unlike removing. */
const SHOWN_AGE = 2_000

/** Objects between two words on how far it has come. */
const TELL_EVERY = 5_000

export interface OrphansParts extends SweepParts {
  coordination: Coordination
  publish: Events['publish']
}

export interface Orphans {
  find(): Promise<OrphansAnswer>
  /** Finds, and removes what has no entry and is old enough. Rejects with 409 while a sweep is under way. */
  cleanUp(): Promise<OrphansAnswer>
}

export function createOrphans(parts: OrphansParts): Orphans {
  const { database, coordination, publish, now } = parts

  const progress = (erledigt: number, fertig: boolean) =>
    publish({ name: 'fortschritt', data: { aufgabe: 'verwaiste', erledigt, gesamt: null, fertig } })

  /** What was just deleted or replaced is on its way out by itself. */
  async function withoutDiscarded(objects: ListedObject[]): Promise<ListedObject[]> {
    if (objects.length === 0) return objects
    const names = objects.map(({ name }) => name)
    const rows = await database.read
      .selectFrom('discard')
      .select('object')
      .where('object', 'in', names)
      .execute()
    const doomed = new Set(rows.map(({ object }) => object))
    return objects.filter(({ name }) => !doomed.has(name))
  }

  async function find(): Promise<OrphansAnswer> {
    const names: string[] = []
    let [looked, told, count, bytes, young] = [0, 0, 0, 0, 0]
    const onLooked = (objects: number) => {
      looked += objects
      if (looked - told < TELL_EVERY) return
      told = looked
      progress(looked, false)
    }
    const oldEnough = now() - SWEEP_AGE
    for await (const unowned of orphans(parts, SHOWN_AGE, onLooked)) {
      const found = await withoutDiscarded(unowned)
      names.push(...found.slice(0, ORPHANS_SHOWN - names.length).map(({ name }) => name))
      count += found.length
      for (const { size } of found) bytes += size
      young += found.filter(({ changedAt }) => changedAt > oldEnough).length
    }
    const missing = await withoutObject(parts, 'media')
    const inTrash = await withoutObject(parts, 'trash')
    progress(looked, true)
    return {
      ohne_eintrag: names,
      ohne_datei: missing.slice(0, ORPHANS_SHOWN).map(({ path }) => path),
      papierkorb_ohne_datei: inTrash.slice(0, ORPHANS_SHOWN),
      gesamt: { ohne_eintrag: count, ohne_datei: missing.length, papierkorb_ohne_datei: inTrash.length },
      bytes,
      entfernt: 0,
      zu_jung: young,
    }
  }

  return {
    find,

    async cleanUp() {
      const done = await coordination.exclusively('sweep', async () => {
        const found = await find()
        const { removed } = await sweep(parts)
        return { ...found, entfernt: removed.length }
      })
      if (!done) throw failure.sweepRunning()
      return done.result
    },
  }
}
