/**
 * Drives and shares as backup targets, whether they are on one disk, restore and rebuild there, paths in
 * messages.
 */
import { describe, expect, test } from 'bun:test'
import { mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expectError, store } from '../support/api.ts'
import { ARCHIVE, backUp, namesIn, saveSettings } from '../support/backup.ts'
import { commandProcess } from '../support/command.ts'
import { useFolder } from '../support/folder.ts'
import { inherited } from '../support/host-client.ts'
import { sharedLibrary } from '../support/library.ts'
import { startService } from '../support/service.ts'
import { pathOnZ, windowsOrFail } from '../support/windows.ts'

const elsewhere = await useFolder()
const DATA = 'C:\\places'
const library = sharedLibrary({ dataDir: DATA })
const onC = (...names: string[]) => join(windowsOrFail().driveC, ...names)

const FILES = { 'bilder/a.txt': 'one', 'con/NUL.txt': 'two', 'Fall/x.': 'three', 'fall/x.': 'four' }
const BOTH = 'Ziel und Zweitziel liegen auf derselben Festplatte'

const set = (values: Record<string, unknown>) => saveSettings(library.service, library.session, values)
const run = () => backUp(library.service, library.session)

describe('targets of the backup', () => {
  test('a drive letter and a second folder on it: both archives, and the warning that it is one disk', async () => {
    for (const [path, body] of Object.entries(FILES)) await store(library.service, library.token, path, body)
    await set({ SICHERUNG_ZIEL: 'C:\\erst', SICHERUNG_ZWEITZIEL: 'c:/zweit/unten' })
    const report = await run()
    expect(report.archiv).toMatch(ARCHIVE)
    expect(report).toMatchObject({ ok: true, zweit: true, orte: 2 })
    expect(report.warnungen.join()).toContain(BOTH)
    for (const place of ['erst', 'zweit/unten']) expect(await namesIn(onC(place))).toContain(report.archiv!)
  })

  test('another drive letter: no claim that it is one disk', async () => {
    await set({ SICHERUNG_ZWEITZIEL: pathOnZ(elsewhere) })
    const report = await run()
    expect(report).toMatchObject({ ok: true, zweit: true, orte: 2 })
    expect(report.warnungen.join()).not.toContain(BOTH)
    expect(await namesIn(elsewhere)).toContain(report.archiv!)
  })

  test('a share of the network', async () => {
    // Where Wine looks for \\nas\sicherung.
    const share = join(dirname(windowsOrFail().driveC), 'dosdevices/unc/nas/sicherung')
    await mkdir(dirname(share), { recursive: true })
    const folder = join(elsewhere, 'share')
    await mkdir(folder)
    await symlink(folder, share)
    await set({ SICHERUNG_ZWEITZIEL: '\\\\nas\\sicherung\\fundus' })
    const report = await run()
    expect(report).toMatchObject({ ok: true, zweit: true, orte: 2 })
    expect(report.warnungen.join()).not.toContain(BOTH)
    expect(await namesIn(join(folder, 'fundus'))).toContain(report.archiv!)
  })

  test('a drive that is not there is named as it was typed', async () => {
    await set({ SICHERUNG_ZWEITZIEL: 'Q:\\sicherung' })
    const { ok, fehler } = await run()
    expect(ok).toBe(false)
    expect(fehler).toStartWith('Das Zweitziel Q:\\sicherung ist nicht benutzbar')
  })

  test('a path from the root of this drive is refused: which drive that is nobody said', async () => {
    const response = await library.post('einstellungen/import', { SICHERUNG_ZWEITZIEL: '/sicherung' })
    await expectError(response, 400, /muss unter Windows mit einem Laufwerksbuchstaben beginnen/)
  })
})

describe('by command', () => {
  test('restore into an empty folder, then rebuild from the objects alone: every file is back', async () => {
    await set({ SICHERUNG_ZIEL: 'C:\\erst', SICHERUNG_ZWEITZIEL: null })
    const { archiv } = await run()
    await using service = await startService({ dataDir: 'C:\\restored' })
    await service.stop()
    const again = await service.command('restore', `C:\\erst\\${archiv}`, '--force')
    expect([again.code, again.stderr]).toEqual([0, expect.any(String)])
    const archiveNames = async () => {
      await service.restart()
      for (const [path, body] of Object.entries(FILES))
        expect(await (await fetch(`${service.url}/f/${path}`)).text()).toBe(body)
      await service.stop()
    }
    await archiveNames()
    for (const name of await readdir(onC('restored')))
      if (name.startsWith('fundus.db')) await rm(onC('restored', name))
    const rebuilt = await service.command('rebuild')
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ''])
    await archiveNames()
  })

  test.each([
    ['Q:\\fundus', 'Q:\\fundus'],
    ['C:\\windows\\win.ini', 'C:\\windows\\win.ini'],
  ])(
    'a data folder that cannot be, %s: a sentence that names it as it was typed',
    async (DATA_DIR, named) => {
      const env = { ...inherited(), DATA_DIR }
      const { code, stdout, stderr } = await commandProcess(['start', '--no-build'], { env })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(named)
      expect(stderr).not.toContain('\\\\?\\')
      expect(stderr).not.toContain('    at ')
    },
  )

  test('the log says where the data lies', () => {
    const line = library.service.logs().find(each => each.message === 'listening')
    expect(line?.data).toBe(DATA)
  })
})
