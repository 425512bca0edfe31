/**
 * Where archives are: counted by looking at the targets of the run. Also targets that are impossible on this
 * machine.
 */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { store } from '../support/api.ts'
import { ARCHIVE, archivesIn, backUp, backupState, saveSettings } from '../support/backup.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import { hang, mountProblem } from '../support/mounts.ts'
import { type Service, startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

setDefaultTimeout(180_000)
const on = sharedService({ env: ADMIN_ENV })
let session: string
const root = await useFolder()
beforeAll(async () => {
  session = await signIn(on.service)
  await store(on.service, on.token, 'a.txt', 'content')
})

const set = (json: Record<string, unknown>) => saveSettings(on.service, session, json)
const run = () => backUp(on.service, session)
const first = () => join(on.service.dataDir, 'sicherung')

describe.skipIf(process.platform === 'win32')('a drive or UNC path on a host without such paths', () => {
  const WORKING_FOLDER = resolve(import.meta.dir, '../..')
  const strays = async () => (await readdir(WORKING_FOLDER)).filter(name => /[\\:]/.test(name))
  afterEach(async () => {
    await set({ SICHERUNG_ZIEL: null, SICHERUNG_ZWEITZIEL: null })
    for (const name of await strays()) await rm(join(WORKING_FOLDER, name), { recursive: true })
  })

  test.each([
    ['SICHERUNG_ZWEITZIEL', 'D:\\Sicherung', /^Das Zweitziel D:\\Sicherung /],
    ['SICHERUNG_ZWEITZIEL', 'd:/sicherung', /^Das Zweitziel d:\/sicherung /],
    ['SICHERUNG_ZWEITZIEL', '\\\\server\\share\\fundus', /^Das Zweitziel \\\\server\\share\\fundus /],
    ['SICHERUNG_ZIEL', 'D:\\Sicherung', /^Das Ziel der Sicherung D:\\Sicherung /],
    ['SICHERUNG_ZIEL', '\\\\server\\share', /^Das Ziel der Sicherung \\\\server\\share /],
  ])(
    'as %s, %s: the run fails with a sentence, and nothing is written anywhere',
    async (name, path, about) => {
      const before = await archivesIn(first())
      await set({ [name]: path })
      const report = await run()
      expect(report).toMatchObject({ ok: false, archiv: null, bytes: 0, orte: 0 })
      expect(report.zweit).toBe(name === 'SICHERUNG_ZWEITZIEL' ? true : undefined)
      expect(report.fehler).toMatch(about)
      expect(report.fehler).toMatch(/Windows.*\.$/)
      expect(await strays()).toEqual([])
      expect(await archivesIn(first())).toEqual(before)
      const { letzter, warnungen } = await backupState(on.service, session)
      expect(letzter).toEqual(report)
      // The warning also appears before the next run, and nothing is claimed about the disk of an impossible
      // path.
      expect(warnungen).toEqual([expect.stringMatching(/Windows-Pfad.*schlägt fehl\.$/)])
      expect(await strays()).toEqual([])
      const command = await on.service.command('backup')
      expect([command.code, command.stderr]).toEqual([1, expect.stringMatching(/Windows/)])
    },
  )

  test('an absolute path with a backslash or a colon in it is one of this host', async () => {
    const odd = join(root, 'D:\\Sicherung')
    await set({ SICHERUNG_ZWEITZIEL: odd })
    expect(await run()).toMatchObject({ ok: true, zweit: true, orte: 2 })
    expect(await archivesIn(odd)).toHaveLength(1)
  })
})

describe('the number of places is what is found there now', () => {
  interface Check {
    was: string
    ok: boolean
    grund?: string
    code?: string
    hinweis?: string
  }
  let service: Service
  let signedIn: string
  beforeAll(async () => {
    service = await startService({ env: ADMIN_ENV })
    signedIn = await signIn(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** The number of targets that have the archive, according to the backup state and the overview. */
  async function places(): Promise<number> {
    const { letzter, archive } = await backupState(service, signedIn)
    const overview = (await (await dash(service, 'uebersicht', { session: signedIn })).json()) as {
      sicherung: { orte: number }
    }
    expect(overview.sicherung).toEqual(letzter as never)
    for (const { name, orte } of archive) if (name === letzter!.archiv) expect(orte).toBe(letzter!.orte)
    return letzter!.orte
  }

  /**
   * The same according to `/status`, asked of a new process because the service repeats its answer for ten
   * seconds.
   */
  async function placesInStatus() {
    await service.restart()
    const status = (await (await fetch(`${service.url}/status`)).json()) as { pruefungen: Check[] }
    const { was: _, ...check } = status.pruefungen.at(-1)!
    return { orte: await places(), ...check }
  }

  test('after archives are gone, cut short or moved away', async () => {
    const [one, two] = [join(root, 'one'), join(root, 'two')]
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: one, SICHERUNG_ZWEITZIEL: two })
    const { archiv } = await backUp(service, signedIn)
    const both = {
      orte: 2,
      ok: true,
      hinweis: 'Das letzte Archiv liegt an zwei Orten.',
      code: 'check-two-places',
    }
    const single = {
      orte: 1,
      ok: true,
      hinweis: 'Das letzte Archiv liegt nur an einem Ort.',
      code: 'check-one-place',
    }
    expect(await placesInStatus()).toEqual(both)

    // The targets are those of the run, even if the settings have changed since.
    await saveSettings(service, signedIn, { SICHERUNG_ZWEITZIEL: join(root, 'three') })
    expect(await places()).toBe(2)
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: null })
    expect(await placesInStatus()).toEqual(both)
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: one, SICHERUNG_ZWEITZIEL: two })

    await rename(join(two, archiv!), join(two, 'elsewhere.tar'))
    expect(await placesInStatus()).toEqual(single)
    await rename(join(two, 'elsewhere.tar'), join(two, archiv!))
    expect(await places()).toBe(2)

    // A run of an earlier version did not record its targets, so those of the settings count.
    await onDatabase(service.dataDir, 'update backup set places = null')
    expect(await places()).toBe(2)

    await truncate(join(one, archiv!), 100)
    expect(await places()).toBe(1)

    for (const folder of [one, two]) await rm(folder, { recursive: true })
    expect(await backupState(service, signedIn)).toMatchObject({ letzter: { orte: 0 }, archive: [] })
    expect(await placesInStatus()).toEqual({
      orte: 0,
      ok: false,
      grund: 'Das letzte Archiv liegt an keinem Ort mehr.',
      code: 'check-backup-gone',
    })
    // A file in place of the folder is not a target either.
    await writeFile(one, 'x')
    expect(await places()).toBe(0)
    await rm(one)
  })

  const unmountable = mountProblem() ?? (existsSync('/dev/fuse') ? null : 'there is no /dev/fuse')
  const name = 'a place that hangs: everything else answers, and it counts for nothing'
  test.skipIf(unmountable !== null)(unmountable === null ? name : `${name}: ${unmountable}`, async () => {
    const [good, lost] = [join(root, 'good'), join(root, 'lost')]
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: good, SICHERUNG_ZWEITZIEL: lost })
    expect(await backUp(service, signedIn)).toMatchObject({ ok: true, orte: 2 })
    const token = await service.createToken()
    {
      await using _ = await hang(lost)
      // More often than the machine has threads for file access.
      for (let round = 0; round < 2 + availableParallelism(); round++) {
        const { letzter, archive, warnungen } = await backupState(service, signedIn)
        expect([letzter!.orte, archive[0]!.name]).toEqual([1, letzter!.archiv!])
        expect(warnungen).toEqual(['Ob Ziel und Zweitziel auf derselben Festplatte liegen, ist unbekannt.'])
      }
      await store(service, token, `while/${Date.now()}.txt`, 'files are stored')
      expect(await placesInStatus()).toMatchObject({ orte: 1, ok: true })
      expect(await service.stop()).toBe(0)
    }
    await service.restart()
    expect(await places()).toBe(2)
  })

  const ends = 'a backup onto a place that hangs ends with a sentence'
  test.skipIf(unmountable !== null)(unmountable === null ? ends : `${ends}: ${unmountable}`, async () => {
    const [good, lost] = [join(root, 'answers'), join(root, 'silent')]
    await mkdir(lost)
    await using _ = await hang(lost)
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: good, SICHERUNG_ZWEITZIEL: lost })
    expect(await backUp(service, signedIn)).toMatchObject({
      ...{ ok: false, orte: 1, archiv: expect.stringMatching(ARCHIVE) },
      fehler: `Das Zweitziel ${lost} antwortet nicht, das Archiv liegt nur am ersten Ort.`,
    })
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: lost, SICHERUNG_ZWEITZIEL: '' })
    expect(await backUp(service, signedIn)).toMatchObject({
      ...{ ok: false, orte: 0, archiv: null },
      fehler: `Das Ziel der Sicherung ${lost} antwortet nicht.`,
    })
    await saveSettings(service, signedIn, { SICHERUNG_ZIEL: good })
    expect(await backUp(service, signedIn)).toMatchObject({ ok: true, orte: 1 })
  })
})
