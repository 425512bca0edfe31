/** Finds the picture for a request for `/b/<size>/<path>`; makes the picture if there is none yet. */
import { withTimeout } from '../../base/time-limit.ts'
import { splitPath } from '../../contract/paths/path-parts.ts'
import type { ServedFile } from '../../database/database.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import type { Requester } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { floorToSecond, placementTime } from '../media/media.store.ts'
import type { FindObject } from '../serve/find-object.ts'
import type { ChosenObject } from '../serve/variant-and-etag.ts'
import type { createPictureMaker } from './make.ts'
import { createMakeQueue } from './make-queue.ts'
import { deleteSizeRows, type SizeRow } from './sizes.store.ts'
import type { createTrimmer } from './trimmer.ts'
import { chooseFormat, mayHaveSizes, sizeKey, type WantedPicture } from './wanted-picture.ts'

/**
 * Milliseconds that a request waits for its picture. A picture that takes longer is still finished, for the
 * next request.
 */
const MAX_PICTURE_WAIT = 20_000

const PROBLEM_FAILURES: Readonly<Record<NonNullable<SizeRow['problem']>, () => Failure>> = {
  damaged: failure.pictureDamaged,
  undecodable: failure.pictureUndecodable,
  costly: failure.pictureCostly,
  lost: failure.sizeNotReady,
}

export interface SizeFinderParts extends Pick<FeatureParts, 'database' | 'settings'> {
  discards: Discards
  trimmer: ReturnType<typeof createTrimmer>
  maker: ReturnType<typeof createPictureMaker>
}

/** The parts of a request that decide which picture it gets. */
export interface SizeRequest {
  /** `<size>/<path>` */
  address: string
  accept: string | null
  /** The client's network (an IPv4 address or an IPv6 /64). The queue serves the networks round-robin. */
  client: string
}

export function createSizeFinder({ database, settings, discards, trimmer, maker }: SizeFinderParts) {
  const queue = createMakeQueue<SizeRow | null>()
  const shutdownController = new AbortController()

  /**
   * Returns the row of the picture, or of the problem that prevents making it; makes the picture if there is
   * no such row. Null if the file is gone or its object has been renamed. Rejects with 503 if the picture
   * takes longer than `MAX_PICTURE_WAIT`.
   */
  async function findOrMake(wantedPicture: WantedPicture, client: string): Promise<SizeRow | null> {
    const existingRow = await maker.find(wantedPicture)
    if (existingRow) return existingRow
    const makePicture = async (requester: Requester) => {
      const newRow = await maker.make(wantedPicture, requester, shutdownController.signal)
      if (newRow) trimmer.kick()
      return newRow
    }
    const key = `${wantedPicture.file.id} ${sizeKey(wantedPicture)}`
    return withTimeout(MAX_PICTURE_WAIT, queue.add(key, client, makePicture), () => {
      throw failure.sizeNotReady()
    })
  }

  /** Removes the row of a picture whose object could not be opened, so that the picture is made again. */
  const removePicture = ({ nr }: SizeRow) =>
    database.transaction(tx => deleteSizeRows(tx, [nr], discards.dueAt()))

  /**
   * Reads the row of the file. `mayHaveChanged`: whether the row may have changed since the request arrived,
   * so that a cached row may be too old.
   */
  async function readServedFile(path: string, mayHaveChanged: boolean): Promise<ServedFile | null> {
    if (mayHaveChanged) await database.currentState()
    return database.servedFile(path)
  }

  /**
   * Parses the address, and throws for an unknown size before the database is queried. Returns the path, and
   * a function that finds or makes the picture (see `FindObject` for `lostObject`).
   */
  function find({ address, accept, client }: SizeRequest): { path: string; find: FindObject } {
    const slashIndex = address.indexOf('/')
    const sizeName = address.slice(0, Math.max(slashIndex, 0))
    const size = settings.current().BILDGROESSEN.find(pictureSize => pictureSize.name === sizeName)
    if (!size) throw failure.sizeUnknown()
    const path = address.slice(slashIndex + 1)
    const format = chooseFormat(size, accept)
    return {
      path,
      async find(lostObject) {
        // Tries twice, because the file may have been moved after its row was read.
        for (const mayHaveChanged of [lostObject !== undefined, true]) {
          const file = await readServedFile(path, mayHaveChanged)
          if (!file) break
          if (!mayHaveSizes(file)) throw failure.sizeAbsent()
          const wantedPicture = { file, path, size, format }
          let row = await findOrMake(wantedPicture, client)
          if (row?.object && row.object === lostObject) {
            await removePicture(row)
            row = await findOrMake(wantedPicture, client)
          }
          if (row?.problem) throw PROBLEM_FAILURES[row.problem]()
          if (!row) continue
          trimmer.recordRequest(row)
          return { nr: file.nr, choice: chosenPictureOf(file, path, row) }
        }
        throw failure.fileAbsent()
      },
    }
  }

  return {
    find,
    async stop() {
      shutdownController.abort()
      await queue.stop()
    },
  }
}

/**
 * The ETag depends on the bytes of the picture, not on those of the file: after an update, the encoder may
 * make different bytes from the same file.
 */
function chosenPictureOf(file: ServedFile, path: string, row: SizeRow): ChosenObject {
  const object = row.object!
  return {
    object,
    size: Number(row.size),
    mime: row.type!,
    etag: `"${row.sha256!.slice(0, 32)}"`,
    modified: Math.max(placementTime(file), floorToSecond(Number(row.made_at))),
    name: splitPath(path).stem + object.slice(object.lastIndexOf('.')),
  }
}
