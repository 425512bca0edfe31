/** Several workers on one port: a second start is refused, and shutdown. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { dash, signIn } from '../../support/dashboard.ts'
import { openFolder } from '../../support/folder.ts'
import { freePort } from '../../support/ports.ts'
import { childrenOf, isAlive } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import { startAtTerminal } from '../../support/terminal.ts'
import { GERMAN } from '../../support/tools.ts'
import { eventually } from '../../support/wait.ts'
import { answering, ask, put, startTwo, TWO, untilFirstWorker, workersOf } from './two-workers.ts'

setDefaultTimeout(180_000)

/** The output of a refused `start`. */
async function refusedStart(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: join(import.meta.dir, '../../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
  const words = await child.stderr.text()
  return { code: await child.exited, words }
}

describe('the guard against a second start', () => {
  test('on the same port, with one or two workers, on the same folder or another: refused, and the first one keeps all', async () => {
    await using other = await openFolder()
    const port = freePort()
    await using service = await startService({ ownProcess: true, env: { ...TWO, PORT: `${port}` } })
    for (const DATA_DIR of [service.dataDir, other.path])
      for (const WORKERS of ['1', '2'])
        expect(await refusedStart({ PORT: `${port}`, DATA_DIR, WORKERS })).toMatchObject({
          code: 2,
          words: expect.stringContaining(`Der Port ${port} ist belegt`),
        })
    expect(await answering(service)).toHaveLength(2)
    expect(workersOf(service)).toHaveLength(2)
  })

  test.each(['the same folder', 'folders of their own'])(
    'two starts at the same moment on %s: one of them runs',
    async folders => {
      await using folder = await openFolder()
      await using other = await openFolder()
      const env = { PORT: `${freePort()}`, DATA_DIR: folder.path }
      const second = folders === 'the same folder' ? env : { ...env, DATA_DIR: other.path }
      const both = [startTwo(env), startTwo(second)]
      try {
        expect(await Promise.race(both.map(each => each.exited))).toBe(2)
        const [left] = both.filter(each => each.exitCode === null)
        await eventually('the other one answers', () =>
          fetch(`http://127.0.0.1:${env.PORT}/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        left!.kill('SIGTERM')
        expect(await left!.exited).toBe(0)
      } finally {
        for (const each of both) each.kill('SIGKILL')
      }
    },
  )
})

describe('the end', () => {
  test('SIGTERM before the first worker answers: the second one is never started', async () => {
    await using folder = await openFolder()
    const supervisor = startTwo({ PORT: `${freePort()}`, DATA_DIR: folder.path })
    try {
      untilFirstWorker(supervisor)
      const first = childrenOf(supervisor.pid)
      supervisor.kill('SIGTERM')
      const said = await supervisor.stdout.text()
      expect(await supervisor.stderr.text()).toBe('')
      expect(await supervisor.exited).toBe(0)
      expect(first.filter(isAlive)).toEqual([])
      expect(said).toContain('every worker has ended')
      expect(said).not.toContain('listening')
      expect(said).not.toContain('"worker":2')
    } finally {
      supervisor.kill('SIGKILL')
      await supervisor.exited
    }
  })

  test('SIGTERM stops all, with the counters written and no process left', async () => {
    await using service = await startService({ ownProcess: true, env: TWO })
    const token = await service.createToken()
    await put(service, token, 'end/a.txt', 'x')
    for (let n = 0; n < 20; n++) await (await ask(service, '/f/end/a.txt')).text()
    const pids = [service.pid, ...workersOf(service)]
    expect(await service.stop()).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    await service.restart({ WORKERS: '1' })
    // With a single worker there is one process and no supervisor.
    expect(workersOf(service)).toEqual([])
    const { session, json } = { session: await signIn(service), json: { pfad: 'end/a.txt', name: 'b.txt' } }
    expect(await (await dash(service, 'media/umbenennen', { json, session })).json()).toMatchObject({
      abrufe: 20,
    })
  })

  test('workers do not outlive a supervisor that was killed', async () => {
    await using service = await startService({ ownProcess: true, env: TWO })
    const workers = workersOf(service)
    process.kill(service.pid, 'SIGKILL')
    await eventually('no worker is left', () => !workers.some(isAlive))
    await service.kill9()
  })

  test('nor one that the channel does not tell of its end', async () => {
    // The parent is not the supervisor that started it, as for an orphan, and the channel stays open.
    const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
      cwd: join(import.meta.dir, '../../..'),
      env: { ...GERMAN, PATH: process.env.PATH ?? '', FUNDUS_WORKER: `${process.ppid}` },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
      ipc() {},
    })
    expect(await child.exited).toBe(1)
  })

  test('a worker whose supervisor is gone before the first order ends, instead of waiting for it', async () => {
    for (const delay of [0, 50, 150]) {
      const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
        cwd: join(import.meta.dir, '../../..'),
        env: { ...GERMAN, PATH: process.env.PATH ?? '', FUNDUS_WORKER: `${process.pid}` },
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: 60_000,
        killSignal: 'SIGKILL',
        ipc() {},
      })
      await Bun.sleep(delay)
      child.disconnect()
      expect(await child.exited).toBe(1)
    }
  })

  test('a first worker that cannot start ends the start with its own sentence', async () => {
    await using folder = await openFolder()
    await Bun.write(join(folder.path, 'fundus.db'), 'no database'.repeat(1000))
    const { code, words } = await refusedStart({ DATA_DIR: folder.path, PORT: '0', WORKERS: '2' })
    expect({ code, sentences: words.match(/fundus: /g) }).toEqual({ code: 2, sentences: ['fundus: '] })
    expect(words).toContain('keine lesbare Datenbank')
  })

  test('at a terminal the greeting and the farewell appear once', async () => {
    await using folder = await openFolder()
    await using started = startAtTerminal([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
      cwd: join(import.meta.dir, '../../..'),
      env: {
        ...{ PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', LANG: 'de_DE.UTF-8' },
        ...{ DATA_DIR: folder.path, WORKERS: '2' },
      },
    })
    await started.seen('Strg+C')
    const { code, shown } = await started.end()
    expect({ code, shown }).toEqual({ code: 0, shown })
    for (const once of ['Adresse', '#code=', 'Beendet.']) expect(shown.split(once)).toHaveLength(2)
  })
})
