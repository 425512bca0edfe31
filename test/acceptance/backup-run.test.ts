/**
 * A backup run seen from outside: routes, events, the command beside the service, and processes that die in
 * the middle.
 */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expectError, store } from '../support/api.ts'
import { ARCHIVE, archivesIn, backUp, backupState, letTaskFall, namesIn } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { notUnderWine } from '../support/modes.ts'
import { type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { pathAtService } from '../support/windows.ts'

setDefaultTimeout(180_000)
const MB = 1024 * 1024
const start = () => startService({ env: ADMIN_ENV })
const target = ({ dataDir }: Service) => join(dataDir, 'sicherung')

async function withFiles(service: Service, megabytes: number): Promise<void> {
  const token = await service.createToken()
  for (let at = 0; at < megabytes; at += 20)
    await store(service, token, `grosz/${at}.bin`, randomBytes(at + 1, 20 * MB))
}

/** Resolves as soon as a run has begun to copy contents. */
const begun = (service: Service) =>
  eventually('a content that grows', async () => {
    const folder = join(target(service), 'bestand/neu')
    const names = await readdir(folder).catch(() => [])
    return names.length > 0 && (await stat(join(folder, names[0]!)).catch(() => null))?.size
  })

describe('by address', () => {
  test('before the first run, 202, the run of another joined, the report in the overview, over a restart', async () => {
    await using service = await start()
    const session = await signIn(service)
    expect(await backupState(service, session)).toEqual({
      laeuft: false,
      fortschritt: null,
      letzter: null,
      archive: [],
      plaetze: [{ ort: pathAtService(target(service)), frei: null, bytes: null }],
      probe: null,
      warnungen: [expect.stringMatching(/derselben Festplatte wie die Dateien/)],
      warnungen_codes: ['backup-beside-files'],
    })
    await withFiles(service, 20)
    const post = (query = '') => dash(service, `sicherung${query}`, { method: 'POST', session })
    // Three more requests while it runs join the run.
    const waiting = () => backUp(service, session)
    const [answer, ...reports] = await Promise.all([post(), waiting(), waiting(), waiting()])
    expect(answer.status).toBe(202)
    expect(await answer.json()).toMatchObject({
      laeuft: true,
      fortschritt: { schritt: 'schreiben', erledigt: expect.any(Number), seit: expect.any(Number) },
    })
    expect(new Set(reports.map(({ archiv }) => archiv)).size).toBe(1)
    expect(await archivesIn(target(service))).toEqual([reports[0]!.archiv!])
    const overview = await (await dash(service, 'uebersicht', { session })).json()
    expect(overview).toMatchObject({ sicherung: reports[0]! })
    await service.restart()
    expect((await backupState(service, session)).letzter).toEqual(reports[0]!)
    await expectError(await post('?warten=ja'), 400, /warten/)
  })

  test('progress comes as events, also that of a command beside the service', async () => {
    await using service = await start()
    const session = await signIn(service)
    await withFiles(service, 20)
    const events = await dash(service, 'ereignisse', { session })
    const seen: { aufgabe: string; erledigt: number; gesamt: number | null; fertig: boolean }[] = []
    const reading = (async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const part of events.body!) {
        text += decoder.decode(part, { stream: true })
        seen.length = 0
        for (const [, data = ''] of text.matchAll(/event: fortschritt\nid: 1\ndata: (.+)\n/g))
          seen.push(JSON.parse(data))
        if (seen.some(({ fertig }) => fertig)) return
      }
    })()
    const { code, stdout } = await service.command('backup', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).archiv).toMatch(ARCHIVE)
    await reading
    expect(seen.at(-1)).toMatchObject({ aufgabe: 'sicherung', fertig: true })
    expect((await backupState(service, session)).letzter).toEqual(JSON.parse(stdout))
  })
})

describe('by command', () => {
  notUnderWine.root('without a service; the sentence on standard error and 1 when it fails', async () => {
    await using service = await start()
    await service.stop()
    const good = await service.commandProcess('backup')
    expect([good.code, good.stdout]).toEqual([
      0,
      expect.stringMatching(/[/\\]sicherung[/\\]fundus-.+\.tar: .+, an einem Ort\.\n/),
    ])
    await service.command('settings', 'set', 'SICHERUNG_ZIEL', '/dev/null/nowhere')
    const bad = await service.command('backup')
    expect(bad).toMatchObject({ code: 1, stdout: '' })
    expect(bad.stderr).toMatch(
      /^fundus: Das Ziel der Sicherung \/dev\/null\/nowhere ist nicht benutzbar: .+\.\n$/,
    )
    expect((await service.command('backup', '--nonsense')).code).toBe(2)

    // An unexpected error: the report has a general sentence, preceded by the cause.
    await service.command('settings', 'unset', 'SICHERUNG_ZIEL')
    await onDatabase(service.dataDir, 'drop table share')
    const odd = await service.command('backup')
    expect([odd.code, odd.stderr]).toEqual([
      1,
      expect.stringMatching(/(no such table: share|relation "share" does not exist).*unerwarteten/s),
    ])
  })
})

test('a row that no restore would take is named, and the archive does not count as complete', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const session = await signIn(service)
  const token = await service.createToken()
  await store(service, token, 'gut.txt', 'a')
  await store(service, token, 'falsch/a.txt', 'b')
  expect(await backUp(service, session)).toMatchObject({ ok: true })
  await onDatabase(service.dataDir, "update media set size = -5 where path = 'falsch/a.txt'")
  expect(await backUp(service, session)).toMatchObject({
    ok: false,
    archiv: expect.stringMatching(/-unvollstaendig\.tar$/),
    fehler: expect.stringContaining('falsch/a.txt'),
  })
  // A file whose recorded size is wrong is restored with the right size, so nothing is lost.
  await onDatabase(service.dataDir, "update media set size = 99 where path = 'falsch/a.txt'")
  expect(await backUp(service, session)).toMatchObject({ ok: true })
})

describe('a run that ends in the middle', () => {
  leftToLong(
    'kill -9: nothing that looks like an archive; told as failed; the next one cleans up',
    async () => {
      await using service = await startService({ ownProcess: true, env: ADMIN_ENV })
      const session = await signIn(service)
      await withFiles(service, 60)
      await dash(service, 'sicherung', { method: 'POST', session })
      await begun(service)
      await service.kill9()
      const left = await archivesIn(target(service))
      expect(left.filter(name => !name.startsWith('.'))).toEqual([])
      expect(left.length).toBeGreaterThan(0)
      // The leftovers of an interrupted restore are useless and may be large, so they are removed too.
      const restored = join(service.dataDir, '.wiederherstellung-0123456789abcdef.teil')
      await mkdir(join(restored, 'files'), { recursive: true })

      await service.restart()
      expect(await namesIn(service.dataDir)).not.toContain(basename(restored))
      // Until its lease expires, the run might still be working on another machine.
      expect((await backupState(service, session)).laeuft).toBe(true)
      await letTaskFall(service.dataDir)
      const { laeuft, letzter } = await backupState(service, session)
      expect(laeuft).toBe(false)
      expect(letzter).toMatchObject({
        ok: false,
        archiv: null,
        orte: 0,
        fehler: expect.stringMatching(/mittendrin/),
      })
      const { ok, archiv } = await backUp(service, session)
      expect([ok, await archivesIn(target(service))]).toEqual([true, [archiv!]])
    },
  )

  leftToLong(
    'kill -9: the first call after the restart makes a backup instead of answering with the failure of the dead run',
    async () => {
      await using service = await startService({ ownProcess: true, env: ADMIN_ENV })
      const session = await signIn(service)
      await withFiles(service, 60)
      await dash(service, 'sicherung', { method: 'POST', session })
      await begun(service)
      await service.kill9()
      await service.restart()
      const waiting = backUp(service, session)
      // The next caller does not wait: it joined the dead run as well, and gets an answer too.
      expect((await dash(service, 'sicherung', { method: 'POST', session })).status).toBe(202)
      await letTaskFall(service.dataDir)
      const { ok, archiv } = await waiting
      expect([ok, archiv]).toEqual([true, expect.stringMatching(ARCHIVE)])
    },
  )

  test('SIGTERM: whoever waits gets the report, the service ends at once, and nothing is left', async () => {
    await using service = await startService({ ownProcess: true, env: ADMIN_ENV })
    const session = await signIn(service)
    await withFiles(service, 60)
    const waiting = backUp(service, session)
    await begun(service)
    expect(await service.stop()).toBe(0)
    expect(await waiting).toMatchObject({ ok: false, fehler: expect.stringMatching(/Dienst beendet/) })
    expect(await archivesIn(target(service))).toEqual([])
  })
})
