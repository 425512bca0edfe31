/** Backup → wipe → restore: everything is as before, even if uploads continued during the backup. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectSameBytes, read, remove, store } from '../support/api.ts'
import { ARCHIVE, backUp, namesIn, saveSettings } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { embeddedOnly } from '../support/modes.ts'
import { png } from '../support/pictures.ts'
import { portrait } from '../support/portrait.ts'
import { startService } from '../support/service.ts'
import { restore, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'
import { pathAtService } from '../support/windows.ts'

setDefaultTimeout(180_000)

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const FILES: Record<string, Uint8Array<ArrayBuffer>> = {
  'bilder/a.bin': randomBytes(1, 300_000),
  'bilder/tief/b.bin': randomBytes(2, 10),
  'Bilder/A.bin': randomBytes(3, 511),
  'bilder/a.BIN': randomBytes(4, 512),
  x: randomBytes(5, 513),
  'x/y.png': await readFile(join(import.meta.dir, '../support/bytes.ts')),
  'con/aux.txt': randomBytes(6, 77),
  'punkt.': randomBytes(7, 78),
  [`lang/${'n'.repeat(190)}.bin`]: randomBytes(8, 79),
  'ueber.bin': randomBytes(9, 80),
}

embeddedOnly.folder(
  'everything is as before: files, trash, tokens, shares, bookmarks, settings, history, counts',
  async () => {
    await using service = await startService({ env: { ...ADMIN_ENV, PUBLIC_URL: 'http://fundus.test' } })
    const { dataDir } = service
    const session = await signIn(service)
    const token = await service.createToken('--may-delete', '--quota', '100000000')
    await store(service, token, 'ueber.bin', 'earlier')
    for (const [path, bytes] of Object.entries(FILES)) await store(service, token, path, bytes)
    for (const content of ['first', 'second']) {
      await store(service, token, 'weg/datei.txt', content)
      await throwAway(service, session, 'weg/datei.txt')
    }
    await store(service, token, 'endgueltig.txt', 'gone')
    await remove(service, token, 'endgueltig.txt')
    for (let count = 0; count < 3; count++) await (await read(service, 'bilder/a.bin')).arrayBuffer()
    const share = (await (
      await dash(service, 'freigaben', { json: { ordner: 'bilder' }, session })
    ).json()) as {
      schluessel: string
    }
    const bookmarks = {
      ordner: ['x', 'bilder'],
      filter: [{ name: 'Lange her', abfrage: 'unabgerufen_tage=365' }],
    }
    await dash(service, 'merkzettel', { method: 'PUT', json: bookmarks, session })
    await saveSettings(service, session, { DIENST: 'Gesichert', WEBHOOK_URL: 'https://example.org/secret' })
    // Counters are written at shutdown.
    await service.restart()
    const before = await portrait(service, session)
    expect(before.merkzettel).toEqual(bookmarks)

    const report = await backUp(service, session)
    expect(report).toEqual({
      ok: true,
      zeit: expect.any(Number),
      archiv: expect.stringMatching(ARCHIVE),
      bytes: expect.any(Number),
      orte: 1,
      gesichert: expect.any(Number),
      plaetze: [
        {
          ort: pathAtService(join(dataDir, 'sicherung')),
          bytes: expect.any(Number),
          kopiert: expect.any(Number),
        },
      ],
      warnungen: expect.any(Array),
      warnungen_codes: expect.any(Array),
    })
    await service.stop()

    await using temporary = await openFolder()
    const folder = temporary.path
    const archive = join(folder, report.archiv!)
    await rename(join(dataDir, 'sicherung', report.archiv!), archive)
    await rename(join(dataDir, 'sicherung/bestand'), join(folder, 'bestand'))
    for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true })
    const restored = await service.commandProcess('restore', archive)
    expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)])
    expect(restored.stdout).toContain('10 Dateien, 2 im Papierkorb')
    expect(await namesIn(dataDir)).toEqual(['files', 'fundus.db', 'partial', 'staging', 'thumbs', 'trash'])

    await service.restart()
    const again = await signIn(service)
    expect(await portrait(service, again)).toEqual(before)
    for (const [path, bytes] of Object.entries(FILES))
      expectSameBytes(await bytesOf(await read(service, path)), bytes)
    expect((await read(service, 'endgueltig.txt')).status).toBe(404)
    expect((await fetch(`${service.url}/s/${share.schluessel}`)).status).toBe(200)
    // A session that was ended after the backup does not come back.
    expect((await dash(service, 'ich', { session })).status).toBe(401)

    // Numbers continue: a new file does not get the number of a file in the trash.
    await store(service, token, 'neu.txt', 'new')
    const { eintraege } = await trashOf(service, again)
    const back = await restore(service, again, eintraege[0]!.nr)
    expect(back).toMatchObject({ wiederhergestellt: [{ path: 'weg/datei.txt' }], abgelehnt: [] })
    expect(await (await read(service, 'weg/datei.txt')).text()).toBe('second')
    expect(JSON.parse((await service.command('sweep')).stdout)).toEqual({
      removed: [],
      heldBack: 0,
      missing: [],
      missingInTrash: [],
    })
  },
)

/** The script of docs/operations/backup-and-move.md: from the backup folder into a new folder. */
const BRING_BACK = `
mkdir "$FOLDER"
tar xf "$ARCHIVE" -C "$FOLDER"
while read -r sum name; do
  mkdir -p "$FOLDER/$(dirname "$name")"
  cp "bestand/$(echo "$sum" | cut -c 1-2)/$sum" "$FOLDER/$name"
done < "$FOLDER/dateien.sha256"
cd "$FOLDER"
sha256sum --check --quiet pruefsummen.sha256 dateien.sha256
`

test('ordinary tools and a loop in a shell bring every file back to its path', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const token = await service.createToken()
  const session = await signIn(service)
  for (const [path, bytes] of Object.entries(FILES)) await store(service, token, path, bytes)
  await store(service, token, 'weg/datei.txt', 'in the trash')
  await throwAway(service, session, 'weg/datei.txt')
  const { archiv } = await backUp(service, session)
  await using temporary = await openFolder()
  const folder = join(temporary.path, 'back')
  const loop = Bun.spawnSync(['sh', '-eu', '-c', BRING_BACK], {
    cwd: join(service.dataDir, 'sicherung'),
    env: { PATH: process.env.PATH ?? '', ARCHIVE: archiv!, FOLDER: folder },
  })
  expect([loop.exitCode, loop.stdout.toString(), loop.stderr.toString()]).toEqual([0, '', ''])
  const [inTrash] = new Bun.Glob('papierkorb/*/datei.txt').scanSync({ cwd: folder, absolute: true })
  expect(await readFile(inTrash!, 'utf8')).toBe('in the trash')
  for (const path of ['bilder/a.bin', 'bilder/tief/b.bin', 'x/y.png', 'ueber.bin'])
    expectSameBytes(await readFile(join(folder, 'dateien', path)), FILES[path]!)
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  expect(manifest).toMatchObject({
    format: 2,
    dateien: 10,
    papierkorb: 1,
    fehlend: { anzahl: 0, namen: [] },
  })
  // The names stay distinct on a system that ignores case.
  const names = (await readdir(join(folder, 'dateien'), { recursive: true })).map(name => name.toLowerCase())
  const files = names.filter(name => !['bilder', 'bilder/tief', 'con~', 'lang', 'x'].includes(name))
  expect(new Set(files).size).toBe(Object.keys(FILES).length)
})

leftToLong('pictures get variant and preview again', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  await store(service, await service.createToken(), 'bild.png', await png())
  const preview = () => fetch(`${service.url}/t/bild.png.webp`).then(answer => answer.status === 200)
  await eventually('a preview', preview)
  const { archiv } = await backUp(service, await signIn(service))
  await service.stop()
  const archive = join(service.dataDir, 'sicherung', archiv!)
  expect((await service.command('restore', archive, '--force')).code).toBe(0)
  await service.restart()
  await eventually('a preview again', preview)
})

leftToLong('while files are stored, replaced, moved, thrown away and removed', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const session = await signIn(service)
  const token = await service.createToken('--may-delete')
  const old = new Set<string>()
  for (let at = 0; at < 60; at++) {
    const bytes = randomBytes(at, 400_000)
    old.add(sha256(bytes))
    await store(service, token, `alt/${at}.bin`, bytes)
  }
  let busy = true
  const changes = Array.from({ length: 4 }, async (_, worker) => {
    for (let round = 0; busy; round++) {
      const at = worker + 4 * (round % 15)
      if (worker === 0) await store(service, token, `alt/${at}.bin`, randomBytes(1000 + round, 5000))
      if (worker === 1) await remove(service, token, `alt/${at}.bin`)
      if (worker === 2) await dash(service, 'media/loeschen', { json: { pfade: [`alt/${at}.bin`] }, session })
      if (worker === 3)
        await dash(service, 'media/umbenennen', {
          json: { pfad: `alt/${at}.bin`, name: `um-${at}.bin` },
          session,
        })
      await store(service, token, `neu/${worker}/${round}.bin`, randomBytes(round, 3000))
      // Everything is compared at the end; the pause bounds how much a slow machine accumulates.
      await Bun.sleep(10)
    }
  })
  const reports = [await backUp(service, session), await backUp(service, session)]
  // Objects discarded during the backup are removed afterwards.
  busy = false
  await Promise.all(changes)
  expect(reports.map(({ ok, fehler }) => [ok, fehler])).toEqual([
    [true, undefined],
    [true, undefined],
  ])
  await using temporary = await openFolder()
  const folder = temporary.path
  for (const { archiv } of reports) {
    const into = join(folder, archiv!)
    const archive = join(service.dataDir, 'sicherung', archiv!)
    const { code, stdout } = await service.command('restore', archive, '--into', into)
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/fehlten|beschädigt/)])
    await using copy = await startService({ dataDir: into, mode: 'embedded', env: ADMIN_ENV })
    const exported = await dash(copy, 'export?format=json', { session: await signIn(copy) })
    const all = (await exported.json()) as {
      path: string
      sha256: string
    }[]
    expect(all.length).toBeGreaterThan(0)
    for (const { path, sha256: expected } of all)
      expect(sha256(await bytesOf(await read(copy, path)))).toBe(expected)
    expect(JSON.parse((await copy.command('sweep')).stdout)).toEqual({
      removed: [],
      heldBack: 0,
      missing: [],
      missingInTrash: [],
    })
  }
})
