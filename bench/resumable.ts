/**
 * `npm run bench -- resumable`: a long file by tus in one request and in pieces of 64 MB, beside the same by
 * `/api/upload`, in turns on one service, and how much memory the service takes meanwhile. `--mb <n>`: its
 * length (1024); `--rounds <n>` (3). Exits with 1 when tus is slower than 0.8 of `/api/upload`, by the
 * medians.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomBytes } from '../test/support/bytes.ts'
import { realDisk } from '../test/support/folder.ts'
import { memoryOf } from '../test/support/processes.ts'
import { type Service, startService } from '../test/support/service.ts'
import { askUpload, bearer, createUpload, creation, pieceAt } from '../test/support/tus.ts'
import { commit, describeMachine } from './machine.ts'
import { percentile } from './percentile.ts'

const SHARE_BAR = 0.8
const MB = 1024 * 1024
const { values } = parseArgs({
  options: { mb: { type: 'string', default: '1024' }, rounds: { type: 'string', default: '3' } },
})
const length = Number(values.mb) * MB

async function succeed(answer: Promise<Response>): Promise<Response> {
  const { ok, status } = await answer
  if (!ok) throw new Error(`Status ${status}: ${await (await answer).text()}`)
  return answer
}

async function byTus(service: Service, token: string, file: Blob, piece: number): Promise<void> {
  const caller = bearer(token)
  const created = await succeed(createUpload(service, caller, creation(file.size, { pfad: 'bench/tus.bin' })))
  const location = created.headers.get('location')!
  for (let at = 0; at < file.size; at += piece) {
    const body = file.slice(at, at + piece)
    await succeed(askUpload(service, 'PATCH', location, { ...caller, ...pieceAt(at) }, body))
  }
}

const WAYS: Record<string, (service: Service, token: string, file: Blob) => Promise<unknown>> = {
  '/api/upload': (service, token, body) =>
    succeed(
      fetch(`${service.url}/api/upload`, {
        ...{ method: 'POST', body },
        headers: { ...bearer(token), 'X-Path': 'bench/upload.bin' },
      }),
    ),
  'tus, one request': (service, token, file) => byTus(service, token, file, file.size),
  'tus, 64 MB each': (service, token, file) => byTus(service, token, file, 64 * MB),
}

const path = join(realDisk(), `fundus-resumable-${process.pid}.bin`)
const block = randomBytes(1, 4 * MB)
const writer = Bun.file(path).writer()
for (let at = 0; at < length; at += block.length) await writer.write(block)
await writer.end()

await using service = await startService({
  ...{ onDisk: true, ownProcess: true, env: { MAX_UPLOAD_MB: String(length / MB + 1) } },
})
const token = await service.createToken()
const seconds = new Map<string, number[]>(Object.keys(WAYS).map(name => [name, []]))
const before = memoryOf(service.pid)
let peak = before
const timer = setInterval(() => {
  peak = Math.max(peak, memoryOf(service.pid))
}, 50)
for (let round = 0; round < Number(values.rounds); round++)
  for (const [name, send] of Object.entries(WAYS)) {
    const start = performance.now()
    await send(service, token, Bun.file(path))
    seconds.get(name)!.push((performance.now() - start) / 1000)
  }
clearInterval(timer)
await rm(path)

console.log(`${describeMachine()}, ${commit()}, ${values.mb} MB`)
const speeds = [...seconds].map(([name, times]) => [name, length / MB / percentile(times, 0.5)] as const)
const [[, plain] = ['', Number.NaN]] = speeds
for (const [name, speed] of speeds)
  console.log(`${name.padEnd(18)} ${speed.toFixed(0).padStart(6)} MB/s  ${(speed / plain).toFixed(2)}`)
console.log(`memory             +${((peak - before) / MB).toFixed(0)} MB`)
if (speeds.some(([, speed]) => speed < SHARE_BAR * plain)) process.exitCode = 1
