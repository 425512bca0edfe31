/** Shows objects without an entry and entries without an object, and on demand removes the objects without an entry. */
import { ORPHANS_SHOWN, type OrphansAnswer } from '../../contract/maintenance.ts'
import type { Coordination } from '../../coordination/coordination.ts'
import { failure } from '../../errors.ts'
import type { Events } from '../events/events.ts'
import { orphans, withoutObject } from './compare.ts'
import { noNames, note } from './names.ts'
import { discardedAmong } from './owners.ts'
import { removeOrphans, SWEEP_AGE, type SweepParts } from './sweep.ts'

/**
 * Milliseconds. Younger objects are not shown: an upload that has stored its bytes and not yet its row is not an
 * orphan. The age is short, since showing too much does no harm, unlike removing too much.
 */
const SHOWN_AGE = 2_000

/** Number of objects between two progress events. */
const TELL_EVERY = 5_000

export interface OrphansParts extends SweepParts {
  coordination: Coordination
  publish: Events['publish']
}

export interface Orphans {
  find(): Promise<OrphansAnswer>
  /**
   * Finds orphans, and removes the objects that have no entry and are old enough. Rejects with 409 while a sweep is
   * under way, or when the database has no row of any file.
   */
  cleanUp(): Promise<OrphansAnswer>
}

export function createOrphans(parts: OrphansParts): Orphans {
  const { database, coordination, publish, now } = parts

  const progress = (erledigt: number, fertig: boolean) =>
    publish({ name: 'fortschritt', data: { aufgabe: 'verwaiste', erledigt, gesamt: null, fertig } })

  async function find(): Promise<OrphansAnswer> {
    const unowned = noNames()
    const missing = { media: noNames(), trash: noNames<{ nr: number; path: string }>() }
    let [looked, told, bytes, young] = [0, 0, 0, 0]
    const onLooked = (objects: number) => {
      looked += objects
      if (looked - told < TELL_EVERY) return
      told = looked
      progress(looked, false)
    }
    const oldEnough = now() - SWEEP_AGE
    for await (const found of orphans(parts, SHOWN_AGE, onLooked)) {
      const discarded = await discardedAmong(
        database.read,
        found.map(({ name }) => name),
      )
      for (const { name, size, changedAt } of found) {
        if (discarded.has(name)) continue
        note(unowned, name, ORPHANS_SHOWN)
        bytes += size
        if (changedAt > oldEnough) young++
      }
    }
    for (const { place, nr, path } of await withoutObject(parts)) {
      if (place === 'media') note(missing.media, path, ORPHANS_SHOWN)
      else note(missing.trash, { nr, path }, ORPHANS_SHOWN)
    }
    progress(looked, true)
    return {
      ohne_eintrag: unowned.names,
      ohne_datei: missing.media.names,
      papierkorb_ohne_datei: missing.trash.names,
      gesamt: {
        ohne_eintrag: unowned.count,
        ohne_datei: missing.media.count,
        papierkorb_ohne_datei: missing.trash.count,
      },
      bytes,
      entfernt: 0,
      zu_jung: young,
    }
  }

  return {
    find,

    async cleanUp() {
      const done = await coordination.exclusively('sweep', async signal => {
        const found = await find()
        const { removed, heldBack } = await removeOrphans(parts, { byHand: true, signal })
        if (heldBack > 0) throw failure.rowsLost()
        return { ...found, entfernt: removed.length }
      })
      if (!done) throw failure.sweepRunning()
      return done.result
    },
  }
}
