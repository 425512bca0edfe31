/** Start, stop, restart, and operators' commands beside a running service. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectSameBytes, read, remove, store, upload } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import {
  DATABASE_FILE,
  databaseTexts,
  objectFiles,
  onDatabase,
  removeObject,
  stagedFiles,
  storedFiles,
  writeObject,
} from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { isShared } from '../support/modes.ts'
import { png } from '../support/pictures.ts'
import { descendants, isAlive } from '../support/processes.ts'
import { head, openRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

describe('restart', () => {
  test.each(['gracefully', 'by SIGKILL'])('keeps files, tokens, ETags and types: %s', async how => {
    await using service = await startService({ ownProcess: how !== 'gracefully' })
    const token = await service.createToken('--may-delete')
    const large = randomBytes(1, 2_000_000)
    await store(service, token, 'keep/a.bin', large, { 'X-Mime': 'application/x-kept' })
    await store(service, token, 'keep/gone.txt', 'x')
    await remove(service, token, 'keep/gone.txt')
    const etag = (await read(service, 'keep/a.bin')).headers.get('etag')
    if (how !== 'gracefully') await service.kill9()
    await service.restart()
    const response = await read(service, 'keep/a.bin')
    expect(response.headers.get('etag')).toBe(etag)
    expect(response.headers.get('content-type')).toBe('application/x-kept')
    expectSameBytes(await bytesOf(response), large)
    expect((await read(service, 'keep/gone.txt')).status).toBe(404)
    expect((await store(service, token, 'keep/a.bin', 'x')).replaced).toBe(true)
  })

  test('with another PUBLIC_URL every address is new: none was stored', async () => {
    await using service = await startService({ env: { PUBLIC_URL: 'https://old.example.test' } })
    const token = await service.createToken()
    expect((await store(service, token, 'a.txt', 'x')).url).toBe('https://old.example.test/f/a.txt')
    await service.restart({ PUBLIC_URL: 'https://new.example.test' })
    const response = await fetch(`${service.url}/api/exists?pfad=a.txt`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await response.json()).toMatchObject({ exists: true, url: 'https://new.example.test/f/a.txt' })
  })

  leftToLong('takes up derived files that were not done', async () => {
    await using folder = await openFolder()
    await using killed = await startService({ dataDir: folder.path, ownProcess: true })
    const token = await killed.createToken()
    for (let n = 0; n < 3; n++) {
      await store(killed, token, `todo/${n}.png`, await png({ width: 500, height: 400, seed: n + 1 }))
    }
    await killed.kill9()
    // A minute later the leases of the killed process have expired.
    await using service = await startService({ dataDir: folder.path, clockAhead: 60_000 })
    for (let n = 0; n < 3; n++) {
      const target = `${service.url}/t/todo/${n}.png.webp`
      await eventually(`preview ${n}`, async () => (await fetch(target)).status === 200)
    }
  })
})

describe('SIGTERM', () => {
  test('lets a running upload finish and nobody else in, then ends with 0', async () => {
    await using service = await startService({ ownProcess: true })
    const token = await service.createToken()
    const bytes = randomBytes(2, 1_000_000)
    const { port } = service.instances[0]!.run
    using connection = await openRaw(port)
    const headers = {
      Authorization: `Bearer ${token}`,
      'X-Path': 'run/a.bin',
      'Content-Length': bytes.length,
    }
    await connection.write(head('POST /api/upload', headers))
    await connection.write(bytes.slice(0, 400_000))
    await eventually('it has begun', async () => (await stagedFiles(service.dataDir)).length > 0)
    const stopped = service.stop()
    await eventually('told to stop', () => service.logs().some(({ message }) => message === 'stopping'))
    await eventually('whoever comes later is refused', async () =>
      openRaw(port).then(
        late => {
          late.close()
          return false
        },
        () => true,
      ),
    )
    await connection.write(bytes.slice(400_000))
    const answer = await connection.answer()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ path: 'run/a.bin', sha256: sha256(bytes) })
    expect(await stopped).toBe(0)
    await service.restart()
    expectSameBytes(await bytesOf(await read(service, 'run/a.bin')), bytes)
  })

  test('does not wait for connections that only idle; the log is JSON line by line', async () => {
    await using service = await startService({ ownProcess: true })
    using _idle = await openRaw(service.port)
    await (await fetch(`${service.url}/health`)).text()
    expect(await service.stop()).toBe(0)
    const lines = service.output().trim().split('\n')
    expect(service.logs()).toHaveLength(lines.length)
    for (const line of service.logs()) expect(line).toMatchObject({ message: expect.any(String) })
    expect(service.logs().some(({ message }) => message === 'requests were cut off')).toBe(false)
  })

  test('leaves no child process, and neither does SIGKILL', async () => {
    await using service = await startService({ ownProcess: true })
    const token = await service.createToken()
    // test/crash/kill.test.ts looks for leftovers after SIGKILL.
    for (const end of [() => service.stop(), ...(isOrdinaryRun ? [] : [() => service.kill9()])]) {
      if (!isAlive(service.pid)) await service.restart()
      await store(service, token, 'child/a.png', await png({ width: 400, height: 300 }))
      await read(service, 'child/a.png', { Accept: 'image/webp' })
      const family = [service.pid, ...descendants(service.pid)]
      await end()
      await eventually('all of them gone', () => !family.some(isAlive))
    }
  })
})

describe('a command that makes no sense', () => {
  const on = sharedService()

  test.each([
    ['an unknown command', ['nonsense']],
    ['a token without a name', ['token', 'create']],
    ['a limit that is no number', ['token', 'create', '--name', 'x', '--max-file', 'much']],
    ['a negative limit', ['token', 'create', '--name', 'x', '--quota', '-5']],
    ['a kind nobody knows', ['token', 'create', '--name', 'x', '--kinds', 'bilder,katzen']],
    ['a date that is none', ['token', 'create', '--name', 'x', '--valid-until', 'tomorrow']],
    ['an invalid prefix', ['token', 'create', '--name', 'x', '--prefix', '../up']],
    ['an unknown flag', ['token', 'create', '--name', 'x', '--nonsense']],
  ])('ends with an error and a word about it: %s', async (_, args) => {
    const { code, stdout, stderr } = await on.service.command(...args)
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toBeEmpty()
    expect(stdout).not.toContain('media_')
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

describe('commands beside the running service', () => {
  test('a token made there works at once, and --json tells its id', async () => {
    await using service = await startService()
    const token = await service.createToken()
    await store(service, token, 'cli/a.txt', 'x')
    const { code, stdout } = await service.command('token', 'create', '--name', 'json', '--json')
    expect(code).toBe(0)
    const made = JSON.parse(stdout) as { token: string; id: string }
    expect(made.token).toStartWith('media_')
    expect(made.id).toBeDefined()
    await store(service, made.token, 'cli/b.txt', 'x')
    expect(made.token).not.toBe(token)
  })

  test('only the hash of a token is stored', async () => {
    await using service = await startService()
    const token = await service.createToken()
    await store(service, token, 'cli/a.txt', 'x')
    await service.stop()
    const texts = await databaseTexts(service.dataDir)
    // The twin: stored values can be found in the same texts.
    expect(texts.some(text => text.includes(sha256(token)))).toBe(true)
    for (const text of texts) expect(text).not.toContain(token.slice('media_'.length))
  })

  test('sweep removes what nobody points to, and nothing else', async () => {
    await using service = await startService()
    const token = await service.createToken()
    await store(service, token, 'sweep/a.txt', 'x')
    const [object = ''] = await objectFiles(service.dataDir, 'sweep/a.txt')
    // The same name with another id: the leftover of a crash between bytes and row.
    const stray = object.replace(/~(.)(.+)\./, (_, first, rest) => `~${rest}${first}.`)
    await writeObject(service.dataDir, stray, 'stray')
    await writeObject(service.dataDir, 'files/sweep/foreign.txt', "an operator's own")

    const young = await service.command('sweep', '--older-than', '3600')
    expect(JSON.parse(young.stdout)).toEqual({ removed: [], heldBack: 0, missing: [], missingInTrash: [] })
    const old = await service.command('sweep', '--older-than', '0')
    expect(old.code).toBe(0)
    expect(JSON.parse(old.stdout)).toEqual({ removed: [stray], heldBack: 0, missing: [], missingInTrash: [] })
    expect(await storedFiles(service.dataDir)).toEqual([object, 'files/sweep/foreign.txt'].sort())
    expect(await (await read(service, 'sweep/a.txt')).text()).toBe('x')
  })

  test('sweep removes nothing when the database is lost: the files are all there is', async () => {
    await using service = await startService()
    const token = await service.createToken()
    for (const name of ['a', 'b']) await store(service, token, `sweep/${name}.txt`, name)
    await service.stop()
    const before = await storedFiles(service.dataDir)
    await onDatabase(service.dataDir, 'delete from media')
    const { code, stdout, stderr } = await service.command('sweep', '--older-than', '0')
    expect([code, JSON.parse(stdout).heldBack]).toEqual([1, 2])
    expect(stderr).toMatch(/kennt keine einzige Datei.*fundus doctor.*fundus rebuild/)
    expect(await storedFiles(service.dataDir)).toEqual(before)
    if (isShared()) return
    // Without its file the database is not created anew, and the repair commands still work.
    for (const end of ['', '-wal', '-shm'])
      await rm(join(service.dataDir, DATABASE_FILE + end), { force: true })
    const refused = await service.command('sweep', '--older-than', '0')
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toMatch(/fundus\.db.*rebuild/)
    expect(await storedFiles(service.dataDir)).toEqual(before)
    expect((await service.command('rebuild')).code).toBe(0)
    await service.restart()
    expect(await (await read(service, 'sweep/b.txt')).text()).toBe('b')
  })

  test('sweep names the paths whose object is gone', async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const token = await service.createToken()
    for (const name of ['there', 'lost', 'thrown', 'thrown-lost'])
      await store(service, token, `sweep/${name}.txt`, 'x')
    const json = { pfade: ['sweep/thrown.txt', 'sweep/thrown-lost.txt'] }
    expect((await dash(service, 'media/loeschen', { json, session: await signIn(service) })).status).toBe(200)
    // Stopped, so that no object is being moved to the trash.
    await service.stop()
    const lost = (await storedFiles(service.dataDir)).filter(name => /lost~/.test(name))
    for (const object of lost) await removeObject(service.dataDir, object)
    const { stdout } = await service.command('sweep', '--older-than', '0')
    expect(JSON.parse(stdout)).toMatchObject({
      missing: ['sweep/lost.txt'],
      missingInTrash: [{ nr: 2, path: 'sweep/thrown-lost.txt' }],
    })
  })
})

test('two services on two folders know nothing of each other', async () => {
  await using one = await startService()
  await using two = await startService()
  const token = await one.createToken()
  await store(one, token, 'a.txt', 'x')
  expect((await read(two, 'a.txt')).status).toBe(404)
  expect((await upload(two, token, 'x', { 'X-Path': 'a.txt' })).status).toBe(401)
})
