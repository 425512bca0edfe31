/**
 * For tests: a service with a real store and database that fetches files from a fake internet. Each test gets
 * a new fake internet.
 */
import { afterAll, afterEach, beforeEach, expect } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { newId } from '../../../base/ids.ts'
import { Failure } from '../../../errors/errors.ts'
import { noLeasesHeld } from '../../../jobs/testing.ts'
import { useInstance } from '../../../testing/instance.ts'
import { createDiscards } from '../../media/discards.ts'
import { createMedia, type StoredFile } from '../../media/media.ts'
import { mediaParts } from '../../media/testing.ts'
import type { Settings } from '../../settings/settings.ts'
import { createRemoveMetadata } from '../../upload/remove-metadata.ts'
import { createFetchUrl, type FetchTask } from '../fetch-url.ts'
import { type Internet, openInternet, PUBLIC_ADDRESS, type Reply } from './internet.ts'

const settings = { current: () => ({ MAX_UPLOAD_MB: 0.001, EXIF_ENTFERNEN: 'ja' }) } as unknown as Settings
/** `MAX_UPLOAD_MB` in bytes, rounded down. */
export const UPLOAD_LIMIT_BYTES = 1048

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export async function useFetchingService() {
  const { storage, database, log } = await useInstance()
  const now = Date.now
  const discards = createDiscards({ database, storage, coordination: noLeasesHeld, log, now, delay: 3_000 })
  const noDerivedFiles = { isDerivable: () => false, onStored: () => {} }
  const removeMetadata = createRemoveMetadata({ storage, settings })
  const media = createMedia({ ...mediaParts(), database, storage, discards, newId, now, ...noDerivedFiles })
  let internet: Internet
  let folderCount = 0

  beforeEach(async () => {
    internet = await openInternet()
    internet.names.set('bilder.example', [[PUBLIC_ADDRESS]])
  })
  afterEach(async () => {
    await internet[Symbol.asyncDispose]()
    // No file may stay staged.
    expect(await readdir(storage.scratch)).toEqual([])
  })
  afterAll(() => discards.stop())

  const countRowsBelow = async (folder: string) => {
    const rows = await database.read.selectFrom('media').select('path').execute()
    return rows.filter(({ path }) => path.startsWith(`${folder}/`)).length
  }
  const store = (task: FetchTask) =>
    createFetchUrl({ database, storage, media, settings, removeMetadata, network: internet.network })(
      task,
      new AbortController().signal,
    )

  return {
    get internet() {
      return internet
    },
    database,
    storage,
    store,
    countRowsBelow,

    /**
     * Fetches a page that answers with `reply`. Returns the stored file, with its path inside the folder, or
     * status and code of the refusal.
     */
    async fetchFile(
      reply: Reply,
      overrides: Partial<FetchTask> = {},
      path = '/bild.png',
    ): Promise<StoredFile | string> {
      internet.pages.set(`bilder.example${path}`, reply)
      const url = `http://bilder.example${path}`
      const defaults = {
        url,
        folder: `ordner${folderCount++}`,
        name: null,
        digests: [],
        actor: { account: 'anna' },
      }
      const task = { ...defaults, ...overrides }
      try {
        const storedFile = await store(task)
        return { ...storedFile, path: storedFile.path.slice(task.folder.length + 1) }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        expect(await countRowsBelow(task.folder)).toBe(0)
        return `${error.status} ${error.code}`
      }
    },
  }
}
