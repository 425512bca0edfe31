/**
 * The high-water mark, which reveals a lost write-ahead log, may lag behind the database but must never be
 * ahead of it, otherwise a power cut would be reported as data loss. Here flushing the log takes long, and
 * the power is cut as soon as the next mark is on the disk.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { store } from '../support/api.ts'
import { DATABASE_FILE } from '../support/data-folder.ts'
import { realDisk, useFolder } from '../support/folder.ts'
import { diskOf, makeImage, mountImage, mountProblem, unmount } from '../support/mounts.ts'
import { losePower } from '../support/power-cut.ts'
import { startService } from '../support/service.ts'
import { toolOrFail } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const WORKERS = ['1', '2']
const FLUSH_TAKES = '2s'
const folder = await useFolder(realDisk())
const [log, mark, lost] = ['-wal', '-high-water', '-lost-changes'].map(end => DATABASE_FILE + end) as [
  string,
  string,
  string,
]

/** The high-water mark; empty if there is none. It is flushed first, so that it survives a power cut. */
async function flushedMark(dataDir: string): Promise<string> {
  const file = await open(join(dataDir, mark), 'r+').catch(() => null)
  await file?.sync()
  const text = (await file?.readFile('utf8')) ?? ''
  await file?.close()
  return text
}

const unmountable = mountProblem()

describe.skipIf(unmountable !== null)(
  `a power cut during a slow flush${unmountable ? ` (${unmountable})` : ''}`,
  () => {
    // A file system for each number of workers, for the reason given at `mountAfterCut`.
    const mountedFor = (workers: string) => join(folder, `mounted-${workers}`)
    afterAll(() => {
      for (const workers of WORKERS) unmount(mountedFor(workers))
    })

    test.each(WORKERS)('%s workers: is not reported as a loss', async workers => {
      const [image, mounted] = [join(folder, `image-${workers}`), mountedFor(workers)]
      const dataDir = join(mounted, 'data')
      await mkdir(mounted)
      makeImage(image, 256)
      mountImage(image, mounted)
      const wrapper = [
        ...[toolOrFail('strace'), '-D', '-f', '-qq', '-o', '/dev/null', '-P', join(dataDir, log)],
        ...['-e', 'trace=fdatasync', '-e', `inject=fdatasync:delay_enter=${FLUSH_TAKES}`],
      ]
      const env = { WORKERS: workers }
      await using service = await startService({ dataDir, ownProcess: true, mode: 'embedded', env, wrapper })
      const token = await service.createToken()
      const before = await flushedMark(dataDir)
      let isCut = false
      const uploading = (async () => {
        for (let at = 0; !isCut; at++) await store(service, token, `${at}.txt`, 'content').catch(() => {})
      })()
      await eventually('the mark is raised', async () => (await flushedMark(dataDir)) !== before)
      isCut = true
      await losePower(service, diskOf(image, mounted))
      await uploading
      await service.restart()
      expect(await readdir(dataDir)).toContain(mark)
      expect(await readdir(dataDir)).not.toContain(lost)
    })
  },
)
