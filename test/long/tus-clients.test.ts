/**
 * Third-party clients complete a long file through a proxy that cuts the connection every 20 MB, while the
 * service is killed between pieces, on disk and on an object store. `TUS_MB` is the size of the file.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256OfStream } from '../../src/base/hash/sha256.ts'
import { randomBytes } from '../support/bytes.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { realDisk } from '../support/folder.ts'
import { type Service, startService } from '../support/service.ts'
import { toolOrFail } from '../support/tools.ts'
import { findTuspy } from '../support/tuspy.ts'

setDefaultTimeout(1_800_000)
const MB = 1024 * 1024
const LENGTH = Number(process.env.TUS_MB ?? 1024) * MB + 12_345
const CUT_EVERY = 20 * MB

const file = join(realDisk(), `fundus-tus-${process.pid}.bin`)
afterAll(() => rm(file, { force: true }))
let hash = ''

async function writeFile(): Promise<void> {
  if (hash !== '') return
  const block = randomBytes(5, 4 * MB)
  const out = createWriteStream(file)
  for (let left = LENGTH, at = 0; left > 0; left -= block.length, at++) {
    block.fill(at, 0, 16)
    const part = Buffer.from(block.subarray(0, Math.min(left, block.length)))
    if (!out.write(part)) await new Promise(resolve => out.once('drain', resolve))
  }
  await new Promise(resolve => out.end(resolve))
  hash = await sha256OfStream(Bun.file(file).stream())
}

interface Way {
  url: string
  token: string
  path: string
}

const CLIENTS: Record<string, (way: Way) => string[]> = {
  'tus-js-client': ({ url, token, path }) => [
    ...[process.execPath, 'test/support/tus-js-upload.ts'],
    ...[file, `${url}/api/tus`, token, path],
  ],
  'python3-tuspy': ({ url, token, path }) => [
    ...['/usr/bin/python3', 'test/support/tuspy-upload.py'],
    ...[file, `${url}/api/tus`, token, path],
  ],
  '@uppy/tus in Chromium': ({ url, token, path }) => [
    ...[process.execPath, 'test/support/uppy-upload.ts'],
    ...[file, `${url}/api/tus`, token, path],
  ],
}

/** In a process of its own, because tus-js-client leaves the file open. */
async function run(command: string[]): Promise<void> {
  const client = Bun.spawn(command, { stderr: 'pipe' })
  const [code, said] = await Promise.all([client.exited, new Response(client.stderr).text()])
  if (code !== 0) throw new Error(`The client gave up: ${said.slice(-2000)}`)
}

/** Kills the service now and then, until the upload has ended. */
async function whileKilled(service: Service, at: { port: number }, work: Promise<void>): Promise<number> {
  let [isOver, kills] = [false, 0]
  const over = work.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  for (const pause of [1500, 3000, 6000]) {
    await Promise.race([Bun.sleep(pause), over.catch(() => {})])
    if (isOver) break
    await service.kill9()
    await service.restart()
    at.port = service.port
    kills++
  }
  await over
  return kills
}

async function expectStored(service: Service, path: string): Promise<void> {
  const answer = await fetch(`${service.url}/f/${path}`)
  expect(answer.headers.get('content-length')).toBe(String(LENGTH))
  expect(await sha256OfStream(answer.body!)).toBe(hash)
}

async function leavesNothing(service: Service): Promise<void> {
  expect((await service.commandProcess('check')).code).toBe(0)
}

const env = { MAX_UPLOAD_MB: '4096', PORT: '0' }

describe.each([
  ['disk', { onDisk: true }],
  ['an object store', { mode: 'shared', instances: 1, onDisk: true }],
] as const)('on %s', (_, options) => {
  test.each(Object.entries(CLIENTS))('%s', async (name, command) => {
    if (name === 'python3-tuspy') toolOrFail(name, findTuspy)
    await writeFile()
    await using service = await startService({ ...options, ownProcess: true, env })
    const token = await service.createToken()
    const at = { port: service.port }
    using proxy = startCuttingProxy(() => at.port, CUT_EVERY)
    const path = 'long/film.mp4'
    const kills = await whileKilled(service, at, run(command({ url: proxy.url, token, path })))
    expect([kills > 0, proxy.cuts > 0]).toEqual([true, true])
    await expectStored(service, path)
    await leavesNothing(service)
  })
})
