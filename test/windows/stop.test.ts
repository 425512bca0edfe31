/** How the service ends on Windows: by Ctrl+C, by a service manager, and when its process is killed. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { inherited } from '../support/host-client.ts'
import { parseLines, type Service, startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'
import { pathOnZ, programCommand, windowsOrFail } from '../support/windows.ts'

setDefaultTimeout(180_000)

const bytes = randomBytes(1, 200_000)
const messages = (service: Service) => service.logs().map(line => line.message)

/** Retrievals are counted in memory: only an orderly stop writes them all. */
async function useIt(service: Service, token: string): Promise<void> {
  await store(service, token, 'held/a.bin', bytes)
  for (let count = 0; count < 3; count++)
    expectSameBytes(await bytesOf(await read(service, 'held/a.bin')), bytes)
}

/** Files that processes have in the staging folder, except the lock for restores, which belongs to none. */
async function stagingOf(folder: string): Promise<string[]> {
  const names = await readdir(join(windowsOrFail().driveC, folder, 'staging'))
  return names.filter(name => name !== 'bringing-back.lock')
}

async function retrievalsOf(service: Service): Promise<number> {
  const response = await dash(service, 'media/held/a.bin', { session: await signIn(service) })
  return ((await response.json()) as { abrufe: number }).abrufe
}

test('Ctrl+C: counters are written, nothing is left staged, exit code 0; a second start goes on', async () => {
  await using service = await startService({ dataDir: 'C:\\stop-ctrl-c', ownProcess: true, env: ADMIN_ENV })
  await useIt(service, await service.createToken())
  expect(await service.stop()).toBe(0)
  expect(messages(service)).toEqual(expect.arrayContaining(['stopping', 'stopped']))
  expect(await stagingOf('stop-ctrl-c')).toEqual([])
  await service.restart()
  expect(await retrievalsOf(service)).toBe(3)
})

test('its process ended without a word: what was answered is there, what was staged goes at the next start', async () => {
  await using service = await startService({ dataDir: 'C:\\stop-killed', ownProcess: true, env: ADMIN_ENV })
  const token = await service.createToken()
  await useIt(service, token)
  await service.kill9()
  const left = await stagingOf('stop-killed')
  expect(left).not.toEqual([])
  await service.restart()
  expectSameBytes(await bytesOf(await read(service, 'held/a.bin')), bytes)
  expect((await store(service, token, 'held/a.bin', 'x')).replaced).toBe(true)
  await eventually('what the first process staged is gone', async () => {
    const names = await stagingOf('stop-killed')
    return !left.some(name => names.includes(name))
  })
})

test('as a service manager stops it, by Ctrl+C on a console of its own: as orderly', async () => {
  const manager = await startManaged('C:\\stop-managed')
  const service = { url: `http://127.0.0.1:${manager.port}` } as Service
  const session = await signIn(service)
  const made = await dash(service, 'tokens', { json: { name: 'x' }, session })
  await useIt(service, ((await made.json()) as { token: string }).token)
  const { code, lines } = await manager.stop()
  expect(lines.map(line => line.message)).toEqual(expect.arrayContaining(['stopping', 'stopped']))
  expect(code).toBe(0)
  await using next = await startService({ dataDir: 'C:\\stop-managed', env: ADMIN_ENV })
  expect(await retrievalsOf(next)).toBe(3)
})

async function startManaged(DATA_DIR: string) {
  const script = pathOnZ(join(import.meta.dir, 'programs/service-manager.ts'))
  const { command, cwd, env } = programCommand(script, [], {
    ...{ ...inherited(), ...ADMIN_ENV, DATA_DIR },
    ...{ PORT: '0', HOST: '127.0.0.1' },
  })
  const child = Bun.spawn(command, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  let output = ''
  const drained = (async () => {
    const decoder = new TextDecoder()
    for await (const part of child.stdout) output += decoder.decode(part, { stream: true })
  })()
  const listening = await eventually('the service listens', () =>
    parseLines(output).find(line => line.message === 'listening'),
  )
  return {
    port: listening.port,
    async stop() {
      child.stdin.end()
      const code = await child.exited
      await drained
      return { code, lines: parseLines(output) }
    },
  }
}
