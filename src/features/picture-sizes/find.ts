/** Finds the picture for a request for `/b/<size>/<path>`; makes the picture if there is none yet. */
import { within } from '../../base/time-limit.ts'
import { splitPath } from '../../contract/paths/paths.ts'
import type { ServedFile } from '../../database/database.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import type { Turn } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { placedSince, wholeSecond } from '../media/media.store.ts'
import type { Choice } from '../serve/choice.ts'
import type { Find } from '../serve/find.ts'
import type { createPictureMaker } from './make.ts'
import { createMakeQueue } from './make-queue.ts'
import { dropSizes, type SizeRow } from './sizes.store.ts'
import type { createTrimmer } from './trimmer.ts'
import { formatFor, hasSizes, specOf, type WantedPicture } from './wanted.ts'

/** Milliseconds that a request waits for its picture. Work that has begun continues, for the next request. */
const WAIT = 20_000

const PROBLEMS: Readonly<Record<NonNullable<SizeRow['problem']>, () => Failure>> = {
  damaged: failure.pictureDamaged,
  undecodable: failure.pictureUndecodable,
  costly: failure.pictureCostly,
  lost: failure.sizeNotReady,
}

export interface FindSizeParts extends Pick<FeatureParts, 'database' | 'settings'> {
  discards: Discards
  trimmer: ReturnType<typeof createTrimmer>
  maker: ReturnType<typeof createPictureMaker>
}

/** The parts of a request that decide which picture it gets. */
export interface SizeRequest {
  /** `<size>/<path>` */
  address: string
  accept: string | null
  /** The network of the client, which waits in turn with others. */
  client: string
}

export function createFindSize({ database, settings, discards, trimmer, maker }: FindSizeParts) {
  const queue = createMakeQueue<SizeRow | null>()
  const stopping = new AbortController()

  /**
   * The row of the picture, which is made if there is none. Null if the file is gone, or its object has been
   * renamed.
   */
  async function sizeOf(wanted: WantedPicture, client: string): Promise<SizeRow | null> {
    const known = await maker.find(wanted)
    if (known) return known
    const work = async (turn: Turn) => {
      const made = await maker.make(wanted, turn, stopping.signal)
      if (made) trimmer.kick()
      return made
    }
    const key = `${wanted.file.id} ${specOf(wanted)}`
    return within(WAIT, queue.add(key, client, work), () => {
      throw failure.sizeNotReady()
    })
  }

  /** Removes a picture whose object could not be opened, so that it is made again. */
  const forget = ({ nr }: SizeRow) => database.transaction(tx => dropSizes(tx, [nr], discards.dueAt()))

  /** `again`: whether the row may have changed since the request arrived. */
  async function currentFile(path: string, again: boolean): Promise<ServedFile | null> {
    if (again) await database.currentState()
    return database.servedFile(path)
  }

  /** Throws for an unknown size, before the database is asked. */
  function find({ address, accept, client }: SizeRequest): { path: string; find: Find } {
    const slash = address.indexOf('/')
    const name = address.slice(0, Math.max(slash, 0))
    const size = settings.current().BILDGROESSEN.find(each => each.name === name)
    if (!size) throw failure.sizeUnknown()
    const path = address.slice(slash + 1)
    const format = formatFor(size, accept)
    return {
      path,
      async find(lost) {
        // Tries twice, because the file may have been moved since its row was read.
        for (const again of [lost !== undefined, true]) {
          const file = await currentFile(path, again)
          if (!file) return null
          if (!hasSizes(file)) throw failure.sizeAbsent()
          const wanted = { file, path, size, format }
          let row = await sizeOf(wanted, client)
          if (row?.object && row.object === lost) {
            await forget(row)
            row = await sizeOf(wanted, client)
          }
          if (row?.problem) throw PROBLEMS[row.problem]()
          if (!row) continue
          trimmer.note(row)
          return { nr: file.nr, choice: choiceOf(file, path, row) }
        }
        return null
      },
    }
  }

  return {
    find,
    async stop() {
      stopping.abort()
      await queue.stop()
    },
  }
}

/** The ETag is that of the bytes: after an update another encoder may make other bytes of the same file. */
function choiceOf(file: ServedFile, path: string, row: SizeRow): Choice {
  const object = row.object!
  return {
    object,
    size: Number(row.size),
    mime: row.type!,
    etag: `"${row.sha256!.slice(0, 32)}"`,
    modified: Math.max(placedSince(file), wholeSecond(Number(row.made_at))),
    name: splitPath(path).stem + object.slice(object.lastIndexOf('.')),
  }
}
