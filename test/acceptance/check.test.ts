/** `fundus check` beside the running service: what it reports, its exit codes, and what it repairs. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { objectFiles, onDatabase, removeObject, storedFiles, writeObject } from '../support/data-folder.ts'
import { sharedLibrary } from '../support/library.ts'
import { png } from '../support/pictures.ts'

const on = sharedLibrary()
async function check(...flags: string[]) {
  const { code, stdout, stderr } = await on.service.command('check', ...flags, '--json')
  return { code, stderr, report: JSON.parse(stdout) }
}
beforeAll(async () => {
  await store(on.service, on.token, 'c/a.txt', 'first')
  await store(on.service, on.token, 'c/b.txt', 'second')
  await store(on.service, on.token, 'c/p.png', await png())
  await on.previewReady('c/p.png')
})

test('a sound library: exit code 0, a German report, nothing on standard error', async () => {
  const { code, stdout, stderr } = await on.service.commandProcess('check')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('Geprüft: 3 Dateien, 0 im Papierkorb')
  expect(stdout).toContain('Alles in Ordnung.')
  expect((await check('--schnell')).report).toMatchObject({ ok: true, checked: { files: 3, bytes: 0 } })
})

test('an option that does not exist is refused, the help names all', async () => {
  const { code, stderr } = await on.service.command('check', '--fix')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--repair')])
  const { stdout } = await on.service.command('help', 'check')
  for (const option of ['--quick', '--repair', '--json']) expect(stdout).toContain(option)
})

describe('trouble', () => {
  test('changed bytes and a missing object: exit code 1, named, and shown in the dashboard', async () => {
    const [rotten = ''] = await objectFiles(on.service.dataDir, 'c/a.txt')
    const [gone = ''] = await objectFiles(on.service.dataDir, 'c/b.txt')
    await writeObject(on.service.dataDir, rotten, 'FIRST')
    await removeObject(on.service.dataDir, gone)
    const { code, report } = await check()
    expect([code, report.wrongContent.names, report.withoutObject.names]).toEqual([
      1,
      ['c/a.txt'],
      ['c/b.txt'],
    ])
    const { code: codeOfProcess, stdout } = await on.service.commandProcess('check')
    expect(codeOfProcess).toBe(1)
    expect(stdout).toContain('Einträge, deren Datei fehlt: 1\n  c/b.txt\n')
    expect(stdout).toContain('Aus einer Sicherung zurückholen')
    // A row whose object is missing stays, even with `--repair`.
    expect((await check('--repair')).code).toBe(1)
    expect((await dash(on.service, 'media/c/b.txt', { session: on.session })).status).toBe(200)
    const overview = await dash(on.service, 'uebersicht', { session: on.session })
    const { integritaet } = (await overview.json()) as { integritaet: { befunde: { pfad: string }[] } }
    expect(integritaet.befunde.map(({ pfad }) => pfad).sort()).toEqual(['c/a.txt', 'c/b.txt'])
    await writeObject(on.service.dataDir, rotten, 'first')
    await writeObject(on.service.dataDir, gone, 'second')
    expect((await check()).code).toBe(0)
  })

  test('a preview that is gone comes back by --repair', async () => {
    const preview = (await storedFiles(on.service.dataDir)).find(name => name.startsWith('thumbs/c/p'))!
    await removeObject(on.service.dataDir, preview)
    expect((await check('--schnell')).report.withoutDerived.names).toEqual(['c/p.png'])
    expect(await check('--schnell', '--repair')).toMatchObject({
      code: 0,
      report: { repaired: { remade: 1 } },
    })
    // A request for the preview makes the service derive it at once.
    await on.previewReady('c/p.png')
    expect((await check()).code).toBe(0)
  })

  test('figures that are wrong are counted anew', async () => {
    await onDatabase(on.service.dataDir, "update folder_usage set files = 77 where folder = 'c/'")
    expect(await check('--schnell')).toMatchObject({ code: 1, report: { figures: { folders: ['c/'] } } })
    expect((await check('--schnell', '--repair')).code).toBe(0)
    expect((await on.list()).ordner).toMatchObject([{ pfad: 'c', dateien: 3 }])
  })
})

test('files are served meanwhile as before', async () => {
  expect(await (await read(on.service, 'c/a.txt')).text()).toBe('first')
})
