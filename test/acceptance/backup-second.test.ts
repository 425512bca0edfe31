/** The second target: copied, compared and thinned out, and every way in which it can fail. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expectSameBytes, store } from '../support/api.ts'
import {
  ARCHIVE,
  archivesIn,
  backUp,
  backupState,
  contentsIn,
  namesIn,
  saveSettings,
} from '../support/backup.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { objectFiles, removeObject, writeObject } from '../support/data-folder.ts'
import { openFolder, realDisk, useFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { fill, mount, mountProblem, mountReadOnly, unmount } from '../support/mounts.ts'
import { atInstance } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

setDefaultTimeout(180_000)
const MB = 1024 * 1024
const on = sharedService({ onDisk: true, env: ADMIN_ENV })
let session: string
const root = await useFolder(realDisk())
beforeAll(async () => {
  session = await signIn(on.service)
  await store(on.service, on.token, 'a.bin', randomBytes(1, 2 * MB))
})

const run = () => backUp(on.service, session)
const set = (json: Record<string, unknown>) => saveSettings(on.service, session, json)
const first = () => join(on.service.dataDir, 'sicherung')
/**
 * Checks a run whose second target failed: the archive is at the first target, and nothing that looks like
 * one at the second.
 */
async function expectFailure(second: string, about: RegExp) {
  await set({ SICHERUNG_ZWEITZIEL: second })
  const before = await archivesIn(second)
  const report = await run()
  expect(report).toMatchObject({ ok: false, zweit: true, orte: 1 })
  expect(report.archiv).toMatch(ARCHIVE)
  expect(report.fehler).toMatch(about)
  expect(report.fehler).toContain(second)
  expect(await archivesIn(second)).toEqual(before)
  expect(await archivesIn(first())).toContain(report.archiv!)
  expect((await backupState(on.service, session)).letzter).toEqual(report)
}

/** Changes the first byte of stored content as soon as it has been written, before it is read back. */
async function changeByte(target: string): Promise<void> {
  const folder = join(target, 'bestand/neu')
  for (;;) {
    const [part] = await namesIn(folder)
    const size = part === undefined ? 0 : ((await stat(join(folder, part)).catch(() => null))?.size ?? 0)
    if (size > 4 * MB) {
      const handle = await open(join(folder, part!), 'r+')
      await handle.write(Buffer.from('X'), 0, 1, 70_000)
      await handle.close()
      return
    }
    await Bun.sleep(1)
  }
}

const unmountable = mountProblem()
const unmounted =
  'that was on a disk of its own and is no longer mounted fails the run, until it is mounted again'
test.skipIf(unmountable !== null)(
  unmountable === null ? unmounted : `${unmounted}: ${unmountable}`,
  async () => {
    await using place = await openFolder(realDisk())
    const second = place.path
    mount(second, 64)
    try {
      await set({ SICHERUNG_ZWEITZIEL: second })
      expect(await run()).toMatchObject({ ok: true, orte: 2 })
      unmount(second)
      await expectFailure(second, /nicht mehr eingehängt/)
      await expectFailure(second, /nicht mehr eingehängt/)
      mount(second, 64)
      // As if another, empty disk were mounted in its place.
      expect(await run()).toMatchObject({ ok: true, orte: 2 })
    } finally {
      unmount(second)
      await set({ SICHERUNG_ZWEITZIEL: null })
    }
  },
)

test('without one there is no word of it', async () => {
  const report = await run()
  expect(report.ok).toBe(true)
  expect(report).not.toHaveProperty('zweit')
  expect(report).not.toHaveProperty('fehler')
})

test('the copy is the archive byte for byte, in a folder that is made for it', async () => {
  const second = join(root, 'not', 'there', 'yet')
  await set({ SICHERUNG_ZWEITZIEL: second })
  const report = await run()
  expect(report).toMatchObject({ ok: true, zweit: true, orte: 2 })
  expect(await archivesIn(second)).toEqual([report.archiv!])
  expectSameBytes(await readFile(join(second, report.archiv!)), await readFile(join(first(), report.archiv!)))
  const contents = await contentsIn(second)
  expect(contents.map(file => basename(file))).toEqual([sha256(randomBytes(1, 2 * MB))])
  expectSameBytes(await readFile(contents[0]!), randomBytes(1, 2 * MB))
  expect(report.warnungen).toEqual(['Ziel und Zweitziel liegen auf derselben Festplatte.'])
  const { archive, warnungen } = await backupState(on.service, session)
  expect(archive[0]).toMatchObject({ name: report.archiv!, bytes: report.bytes, orte: 2, vollstaendig: true })
  expect(warnungen).toEqual(report.warnungen)
})

leftToLong('both places are thinned out to the number that is kept, and foreign files stay', async () => {
  const [target, second] = [join(root, 'thin-1'), join(root, 'thin-2')]
  await mkdir(second)
  await writeFile(join(second, 'urlaub.tar'), 'x')
  await set({ SICHERUNG_ZIEL: target, SICHERUNG_ZWEITZIEL: second, SICHERUNG_BEHALTEN: 2 })
  const names: string[] = []
  for (let count = 0; count < 3; count++) names.push((await run()).archiv!)
  const kept = names.slice(1).sort()
  expect([await archivesIn(target), await archivesIn(second)]).toEqual([kept, [...kept, 'urlaub.tar']])

  // A target that gets no new archive loses no old one.
  await rm(second, { recursive: true })
  await writeFile(second, 'in the way')
  const { archiv, ok } = await run()
  expect([ok, await archivesIn(target)]).toEqual([false, [names[2]!, archiv!].sort()])
  await set({ SICHERUNG_ZIEL: null, SICHERUNG_BEHALTEN: null })
})

describe('fails the run, in a sentence, when it', () => {
  test('is a file', async () => {
    const file = join(root, 'file')
    await writeFile(file, 'x')
    await expectFailure(file, /Datei statt eines Ordners/)
  })

  test('lies below a file', async () => {
    await writeFile(join(root, 'file2'), 'x')
    await expectFailure(join(root, 'file2', 'below'), /Datei statt eines Ordners/)
  })

  test('cannot read what was checked there', async () => {
    const second = join(root, 'unread')
    await mkdir(join(second, 'bestand', 'geprueft.json'), { recursive: true })
    await expectFailure(second, /das Archiv liegt nur am ersten Ort/)
  })

  test('is the first target itself', async () => {
    await set({ SICHERUNG_ZWEITZIEL: first() })
    expect(await run()).toMatchObject({
      ok: false,
      zweit: true,
      orte: 1,
      fehler: expect.stringMatching(/derselbe Ordner/),
    })
  })

  test('is a link to the first target', async () => {
    const link = join(root, 'link')
    await symlink(first(), link)
    await set({ SICHERUNG_ZWEITZIEL: link })
    const { ok, orte, fehler } = await run()
    expect([ok, orte, fehler]).toEqual([false, 1, expect.stringMatching(/derselbe Ordner/)])
  })

  leftToLong('gives back another byte than was written', async () => {
    const second = join(root, 'flipped')
    await mkdir(second)
    await set({ SICHERUNG_ZWEITZIEL: second })
    await store(on.service, on.token, 'large.bin', randomBytes(2, 60 * MB))
    const running = run()
    await changeByte(second)
    const report = await running
    expect(report).toMatchObject({ ok: false, zweit: true, orte: 1 })
    expect(report.fehler).toMatch(/andere Prüfsumme/)
    expect(await archivesIn(second)).toEqual([])
  })

  leftToLong(
    'the twin at the first target: the archive is thrown away, and the last good one stays',
    async () => {
      await set({ SICHERUNG_ZWEITZIEL: null })
      const before = await archivesIn(first())
      await store(on.service, on.token, 'large.bin', randomBytes(7, 60 * MB))
      const running = run()
      await changeByte(first())
      const { ok, orte, archiv, fehler } = await running
      expect([ok, orte, archiv, fehler]).toEqual([false, 0, null, expect.stringMatching(/zurücklesen/)])
      expect(await archivesIn(first())).toEqual(before)
    },
  )
})

describe('fails the run, in a sentence, when its disk', () => {
  beforeAll(() => store(on.service, on.token, 'large.bin', randomBytes(2, 20 * MB)))

  const problem = mountProblem()
  const titled = (title: string) => (problem === null ? title : `${title}: ${problem}`)
  const mounted = async (megabytes: number, work: (folder: string) => Promise<void>) => {
    await using folder = await openFolder(realDisk())
    mount(folder.path, megabytes)
    try {
      await work(folder.path)
    } finally {
      unmount(folder.path)
    }
  }

  test.skipIf(problem !== null)(titled('may not be written to'), async () => {
    await using folder = await openFolder(realDisk())
    mountReadOnly(folder.path)
    try {
      await expectFailure(folder.path, /darf nichts geschrieben werden/)
    } finally {
      unmount(folder.path)
    }
  })

  test.skipIf(problem !== null)(titled('is too small, which is known before'), () =>
    mounted(8, folder => expectFailure(folder, /reicht der Platz nicht.* braucht etwa .*MB, frei sind .*MB/)),
  )

  test.skipIf(problem !== null)(titled('is that of the first, which has taken the room'), () =>
    mounted(40, async folder => {
      await set({ SICHERUNG_ZIEL: join(folder, 'first') })
      const second = join(folder, 'second')
      await set({ SICHERUNG_ZWEITZIEL: second })
      const { ok, orte, fehler } = await run()
      expect([ok, orte, fehler]).toEqual([
        false,
        1,
        expect.stringMatching(/Zweitziel .*reicht der Platz nicht/),
      ])
      expect(await archivesIn(second)).toEqual([])
      await set({ SICHERUNG_ZIEL: null })
    }),
  )

  test.skipIf(problem !== null)(titled('is another one: then it succeeds, and nobody is warned'), () =>
    mounted(200, async folder => {
      await set({ SICHERUNG_ZWEITZIEL: folder })
      expect(await run()).toMatchObject({ ok: true, orte: 2, warnungen: [] })
    }),
  )

  test.skipIf(problem !== null)(titled('is that of the only target, and full: nothing is begun'), () =>
    mounted(80, async folder => {
      await fill(join(folder, 'ballast'), 70 * MB)
      await set({ SICHERUNG_ZIEL: folder, SICHERUNG_ZWEITZIEL: null })
      const report = await run()
      expect(report).toMatchObject({ ok: false, archiv: null, orte: 0, bytes: 0 })
      expect(report.fehler).toMatch(/reicht der Platz nicht/)
      expect(await namesIn(folder)).toEqual(['ballast'])
      await set({ SICHERUNG_ZIEL: null })
    }),
  )
})

test('a file without its object or with another content: named, the archive says so, the rest is in it', async () => {
  await set({ SICHERUNG_ZWEITZIEL: null })
  // The instance that stored a file has it in its cache, so the other one makes the archive.
  const [one, other] = [atInstance(on.service, 0), atInstance(on.service, -1)]
  await store(one, on.token, 'kaputt/weg.bin', randomBytes(3, 1000))
  await store(one, on.token, 'kaputt/anders.bin', randomBytes(4, 1000))
  const { dataDir } = on.service
  const object = async (path: string) => (await objectFiles(dataDir, path))[0]!
  await removeObject(dataDir, await object('kaputt/weg.bin'))
  await writeObject(dataDir, await object('kaputt/anders.bin'), randomBytes(5, 1000))
  const report = await backUp(other, session)
  expect(report.ok).toBe(false)
  expect(report.fehler).toMatch(/kaputt\/weg\.bin.*kaputt\/anders\.bin/)
  expect(report.archiv).toMatch(/^fundus-[\d-]+-unvollstaendig\.tar$/)
  expect((await backupState(on.service, session)).archive[0]).toMatchObject({ vollstaendig: false })

  const into = join(root, 'restored')
  const restored = await on.service.command('restore', join(first(), report.archiv!), '--into', into)
  expect(restored.code).toBe(0)
  expect(restored.stdout).toMatch(
    /fehlten.*\n {2}kaputt\/weg\.bin\n.*beschädigt.*\n {2}kaputt\/anders\.bin\n/,
  )
})
