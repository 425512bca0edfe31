/** Made-up sizes cost no decoding, and one client cannot have everything made at once. */
import { expect, test } from 'bun:test'
import { bytesOf, store } from '../support/api.ts'
import * as pictures from '../support/pictures.ts'
import { descendants } from '../support/processes.ts'
import { sharedService } from '../support/shared-service.ts'
import { slowness } from '../support/wait.ts'

const on = sharedService({ ownProcess: true, mode: 'embedded', env: { LOG_LEVEL: 'debug' } })

const AT_ONCE = 50
const FLOOD = 10_000
/** Milliseconds within which the flood has to be over. */
const FLOOD_TIME = 15_000

const size = (address: string) =>
  fetch(`${on.service.url}/b/${address}`, { headers: { Accept: 'image/webp' } })

/** The statuses of these requests, and the processes that the service had meanwhile. */
async function flood(addresses: readonly string[]) {
  const statuses = new Map<number, number>()
  const seen = new Set<number>()
  const before = new Set(descendants(on.service.pid))
  const timer = setInterval(() => {
    for (const pid of descendants(on.service.pid)) if (!before.has(pid)) seen.add(pid)
  }, 20)
  let next = 0
  const client = async () => {
    for (let at = next++; at < addresses.length; at = next++) {
      const response = await size(addresses[at]!)
      await bytesOf(response)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  clearInterval(timer)
  return { statuses: Object.fromEntries(statuses), started: seen.size, took: performance.now() - begun }
}

test('10 000 unknown sizes, and sizes of files that have none, start no decoder', async () => {
  await store(on.service, on.token, 'a.txt', 'text')
  const unknown = Array.from({ length: FLOOD }, (_, at) =>
    at % 3 === 0 ? `klein/nowhere-${at}.jpg` : at % 3 === 1 ? 'klein/a.txt' : `s${at}/a.txt`,
  )
  const { statuses, started, took } = await flood(unknown)
  expect({ statuses, started }).toEqual({ statuses: { 404: FLOOD }, started: 0 })
  expect(took).toBeLessThan(FLOOD_TIME * slowness())
})

test('a size that exists starts one, so the count above can fail', async () => {
  await store(on.service, on.token, 'a.bmp', pictures.bmp(10, 10))
  await store(on.service, on.token, 'a.jpg', await pictures.jpeg({ width: 900, height: 900 }))
  const { statuses, started } = await flood(['klein/a.jpg'])
  expect(statuses).toEqual({ 200: 1 })
  expect(started + descendants(on.service.pid).length).toBeGreaterThan(0)
})

test('one client that asks for many pictures at once gets all of them or is told to wait', async () => {
  const picture = await pictures.jpeg({ width: 60, height: 60 })
  const paths = Array.from({ length: 400 }, (_, at) => `many/${at}.jpg`)
  for (const path of paths) await store(on.service, on.token, path, picture)
  const answers = await Promise.all(
    paths.map(async path => {
      const response = await size(`klein/${path}`)
      await bytesOf(response)
      return response
    }),
  )
  const outcomes = answers.map(({ status, headers }) =>
    status === 200
      ? 'made'
      : `${status} ${headers.get('x-fehler-code')}, again after ${headers.get('retry-after')} s`,
  )
  const known = ['made', '429 sizes-crowded, again after 10 s', '503 size-not-ready, again after 5 s']
  expect(known).toEqual(expect.arrayContaining([...new Set(outcomes)]))
  expect(outcomes).toContain('made')
  expect((await size('klein/many/399.jpg')).status).toBe(200)
})
