import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectError, read, store, upload } from '../support/api.ts'
import { ADMIN_ENV, dash } from '../support/dashboard.ts'
import { testWorkers } from '../support/modes.ts'
import { png } from '../support/pictures.ts'
import { atInstance, type Service, startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
const on = sharedService({ env: { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.1' } })

/** Each instance counts only its own answers. */
const one = () => atInstance(on.service, 0)

const ask = (service: Service, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/metrics`, { headers })

/** Samples by name and labels. */
async function samples(service: Service): Promise<Map<string, number>> {
  const response = await ask(service)
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const blank = line.lastIndexOf(' ')
      return [line.slice(0, blank), Number(line.slice(blank + 1))]
    }),
  )
}
/** By how much each of these grows while `act` runs. */
async function growth(names: string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await samples(one())
  await act()
  const after = await samples(one())
  return names.map(name => (after.get(name) ?? Number.NaN) - (before.get(name) ?? 0))
}

describe('who may read', () => {
  test('this machine, in the format of Prometheus, kept by no cache', async () => {
    const response = await ask(on.service)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    { 'X-Forwarded-For': '203.0.113.7' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Forwarded: 'for=203.0.113.7' },
    { 'X-Forwarded-Port': '443' },
    { 'X-Forwarded-Server': 'proxy' },
    { 'X-Real-IP': '127.0.0.1' },
    { Via: '1.1 proxy' },
    { Host: 'media.example.org' },
    { Origin: 'https://example.org' },
  ])('nobody through a proxy, a trusted one included, nor a page: %o', async headers => {
    const refused = await expectError(await ask(on.service, headers as Record<string, string>), 404)
    expect(refused).toBe(await expectError(await fetch(`${on.service.url}/nowhere`), 404))
  })

  test('METRICS_TOKEN is asked for unless the request came from loopback without any forwarding header', async () => {
    await using service = await startService({ env: { METRICS_TOKEN: 'a-long-secret-word' } })
    const forwarded = { 'X-Forwarded-Proto': 'https' }
    expect((await ask(service)).status).toBe(200)
    await expectError(await ask(service, forwarded), 404)
    await expectError(await ask(service, { ...forwarded, Authorization: 'Bearer a-long-secret-wore' }), 404)
    const right = { ...forwarded, Authorization: 'Bearer a-long-secret-word' }
    expect((await ask(service, right)).status).toBe(200)
    expect(service.output()).not.toContain('a-long-secret-word')
  })

  test('a METRICS_TOKEN that is easily guessed stops the start with a sentence', async () => {
    const start = startService({ env: { METRICS_TOKEN: 'short' } })
    await expect(start).rejects.toThrow('METRICS_TOKEN ist ungültig: mindestens 16 Zeichen')
  })
})

describe('what is told', () => {
  test('every line is a comment or a sample; each family says once what it is', async () => {
    const lines = (await (await ask(on.service)).text()).trimEnd().split('\n')
    const SAMPLE = /^[a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? -?[0-9.e+-]+$/
    for (const line of lines)
      expect(line).toMatch(line.startsWith('#') ? /^# (HELP|TYPE) [a-z_]+ \S/ : SAMPLE)
    const types = lines.filter(line => line.startsWith('# TYPE')).map(line => line.split(' ')[2])
    expect(new Set(types).size).toBe(types.length)
  })

  test('requests by scope and status, how long they took, and bytes that were announced', async () => {
    const grown = await growth(
      [
        'fundus_requests_total{scope="api",status="2xx"}',
        'fundus_requests_total{scope="api",status="4xx"}',
        'fundus_requests_total{scope="dashboard",status="4xx"}',
        'fundus_requests_total{scope="share",status="4xx"}',
        'fundus_request_duration_seconds_count{scope="api"}',
        'fundus_request_duration_seconds_bucket{scope="api",le="+Inf"}',
        'fundus_received_bytes_total{scope="api"}',
      ],
      async () => {
        await store(one(), on.token, 'metrics/a.txt', 'x'.repeat(1000))
        await upload(one(), 'media_wrong', 'x'.repeat(500))
        await dash(one(), 'ich')
        await fetch(`${one().url}/s/unknown`)
      },
    )
    expect(grown).toEqual([1, 1, 1, 1, 2, 2, 1500])
  })

  test('files by outcome, with their bytes', async () => {
    await store(one(), on.token, 'metrics/b.txt', 'y'.repeat(100))
    const outcome = (name: string) => `fundus_content_answers_total{route="files",outcome="${name}"}`
    const names = ['whole', 'memory', 'memory_not_modified', 'part', 'head', 'refused', 'failed'].map(outcome)
    const grown = await growth([...names, 'fundus_content_bytes_total{route="files"}'], async () => {
      const etag = (await read(one(), 'metrics/b.txt')).headers.get('etag')!
      await read(one(), 'metrics/b.txt')
      for (const _ of [1, 2]) await read(one(), 'metrics/b.txt', { 'If-None-Match': etag })
      await read(one(), 'metrics/b.txt', { Range: 'bytes=10-19' })
      await fetch(`${one().url}/f/metrics/b.txt`, { method: 'HEAD' })
      await read(one(), 'metrics/none.txt')
    })
    const [whole = 0, memory = 0, memoryNotModified, ...others] = grown
    expect(others).toEqual([1, 1, 1, 0, 210])
    expect(whole + memory).toBe(2)
    // Each of several workers keeps its own answers in memory.
    if (testWorkers() === null) expect([memory, memoryNotModified]).toEqual([1, 1])
  })

  test('previews apart from files', async () => {
    await store(one(), on.token, 'metrics/c.png', await png({ width: 40, height: 30 }))
    const outcomes = ['whole', 'memory'].map(
      name => `fundus_content_answers_total{route="previews",outcome="${name}"}`,
    )
    const address = `${one().url}/t/metrics/c.png.webp`
    await eventually('a preview', async () => (await fetch(address)).ok)
    const [whole = 0, memory = 0] = await growth(outcomes, () => fetch(address))
    expect(whole + memory).toBe(1)
  })

  test('how the jobs fare, what waits, and the process', async () => {
    const runs = 'fundus_job_runs_total{job="discard list",outcome="succeeded"}'
    const found = await eventually('a run', async () => {
      const read = await samples(on.service)
      return (read.get(runs) ?? 0) > 0 && read
    })
    expect(found.get('fundus_job_runs_total{job="discard list",outcome="failed"}')).toBe(0)
    const success = found.get('fundus_job_last_success_timestamp_seconds{job="discard list"}') ?? 0
    expect(Date.now() / 1000 - success).toBeWithin(0, 120)
    for (const queue of ['derived', 'discards', 'relocations', 'messages'])
      expect(found.get(`fundus_queue_length{queue="${queue}"}`)).toBeGreaterThanOrEqual(0)
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(found.get('fundus_uptime_seconds')).toBeWithin(0, 120)
    expect([...found.keys()].some(name => /^fundus_build_info\{version="\d+\.\d+\.\d+"/.test(name))).toBe(
      true,
    )
  })

  test('what waits is counted', async () => {
    const discards = 'fundus_queue_length{queue="discards"}'
    // Just discarded, and removed soon: on a busy machine some are gone before they are counted.
    await eventually('three of four wait', async () => {
      const [grown = 0] = await growth([discards], async () => {
        for (let round = 0; round < 4; round++) await store(on.service, on.token, 'metrics/d.txt', `${round}`)
      })
      return grown >= 3
    })
  })

  test('no path, token or user', async () => {
    await store(on.service, on.token, 'metrics/geheim.txt', 'x')
    await read(on.service, 'metrics/geheim.txt')
    const text = await (await ask(on.service)).text()
    for (const word of ['geheim', 'metrics/', 'media_', ADMIN_ENV.ADMIN_USER])
      expect(text).not.toContain(word)
  })
})
