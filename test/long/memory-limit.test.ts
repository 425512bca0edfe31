/** Too little memory for the uploaded pictures: the system kills decoders, and the service keeps running. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import sharp from 'sharp'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { limitMemory, memoryLimitProblem } from '../support/memory-limit.ts'
import { startService } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(300_000)

const MB = 1024 * 1024
const problem = await memoryLimitProblem()
const name = 'uploads and reads go on while decoders run out of memory, and every file is whole'

test.skipIf(problem !== null)(problem === null ? name : `${name}: ${problem}`, async () => {
  await using memory = limitMemory(256 * MB)
  await using service = await startService({
    wrapper: memory.command(),
    env: { WORKERS: '1' },
    mode: 'embedded',
  })
  const token = await service.createToken()
  const { pid } = service
  // A progressive picture has to be in memory as a whole: about 190 MB for this one.
  const create = { width: 8000, height: 8000, channels: 3, background: '#456' } as const
  const picture = new Uint8Array(await sharp({ create }).jpeg({ progressive: true }).toBuffer())
  const paths = Array.from({ length: 6 }, (_, at) => `large/${at}.jpg`)
  await Promise.all(paths.map(path => store(service, token, path, picture)))
  await eventually('decoders to be ended', async () => {
    await store(service, token, 'small.txt', 'small')
    expect(await (await read(service, 'small.txt')).text()).toBe('small')
    return service.logs().some(({ cause }) => /crashed|signal|memory/i.test(String(cause)))
  })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  expect(service.pid).toBe(pid)
  await service.restart()
  for (const path of paths) expectSameBytes(await bytesOf(await read(service, path)), picture)
  expect((await service.command('check')).code).toBe(0)
})
