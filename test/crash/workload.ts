import { sha256 } from '../support/bytes.ts'
import { binaryBody, isWholeWebp, pngBody } from './bodies.ts'
import type { Model, Operation } from './model.ts'
import type { Random } from './random.ts'

const CLIENTS = 8
/** Paths for which several writers compete. */
const CONTESTED = ['hot/a.bin', 'hot/b.bin', 'hot/deep/er/c.bin', 'hot/p.png', 'hot/q.png']
/** Above this number clients delete more than they add, so that the check of a round stays short. */
const ENOUGH_PATHS = 90
/** Far longer than any answer takes; a hung service must not hang the test. */
const PATIENCE_MS = 60_000

export interface Leniency {
  /** Called for writes answered with a status from 500 on, which may have happened; without it a fault. */
  onRefused?: () => void
  /** Called for requests whose connection broke, whose outcome stays open; without it they are faults. */
  onBroken?: () => void
}

/** Sends uploads, overwrites, deletes and reads, in parallel, until the service ends. */
export function startLoad(
  target: { url: string; token: string },
  model: Model,
  random: Random,
  round: number,
  { onRefused, onBroken }: Leniency = {},
) {
  const violations: string[] = []
  const answered = { upload: 0, overwrite: 0, guarded: 0, remove: 0, read: 0, webp: 0 }
  let ended = false
  let open = 0
  let acknowledged = 0
  let made = 0

  // If a kept-alive connection breaks, `fetch` would send the request again.
  const keepalive = onBroken === undefined
  const request = (path: string, init: RequestInit) =>
    fetch(`${target.url}${path}`, { ...init, keepalive, signal: AbortSignal.timeout(PATIENCE_MS) })
  const authorization = `Bearer ${target.token}`
  const unexpected = async (what: string, response: Response) => {
    if (onRefused && response.status >= 500) return onRefused()
    violations.push(`${what}: unexpected status ${response.status} ${(await response.text()).slice(0, 200)}`)
  }

  const acknowledge = (operation: Operation) => {
    model.acknowledge(operation)
    acknowledged++
  }

  const upload = async (path: string, dice: Random, guarded: boolean) => {
    const body = path.endsWith('.png') ? pngBody(dice) : binaryBody(dice)
    const operation = model.begin(path, body.sha256)
    const response = await request('/api/upload', {
      method: 'POST',
      headers: { authorization, 'x-path': path, ...(guarded && { 'x-overwrite': 'false' }) },
      body: body.bytes,
    })
    if (guarded && response.status === 409) return model.withdraw(operation)
    if (response.status !== 200) return unexpected(`upload ${path}`, response)
    // A status line is no answer yet: only the complete body tells the client that its file is safe.
    const answer = (await response.json()) as { sha256?: unknown; size?: unknown; path?: unknown }
    acknowledge(operation)
    if (answer.sha256 !== body.sha256 || answer.size !== body.bytes.length || answer.path !== path) {
      violations.push(`upload ${path}: answered ${JSON.stringify(answer)}, sent ${body.sha256}`)
    }
  }

  const remove = async (path: string) => {
    const operation = model.begin(path, null)
    const response = await request(`/api/media/${path}`, { method: 'DELETE', headers: { authorization } })
    if (response.status === 404) return model.withdraw(operation)
    if (response.status !== 200) return unexpected(`delete ${path}`, response)
    await response.text()
    acknowledge(operation)
  }

  const read = async (path: string, webp: boolean) => {
    const from = model.now()
    const response = await request(`/f/${path}`, { headers: { accept: webp ? 'image/webp,*/*' : '*/*' } })
    if (response.status !== 200 && response.status !== 404) return unexpected(`read ${path}`, response)
    const bytes = await response.bytes()
    if (response.status === 200 && response.headers.get('content-type') === 'image/webp') {
      if (!isWholeWebp(bytes)) violations.push(`read ${path}: half a WebP variant, ${bytes.length} bytes`)
      return
    }
    const found = response.status === 404 ? null : sha256(bytes)
    const allowed = model.acceptable(path, from, model.now())
    const expected = [...allowed].join(' or ')
    if (!allowed.has(found))
      violations.push(`read ${path}: found ${found} (${bytes.length} bytes), allowed ${expected}`)
  }

  const step = async (dice: Random) => {
    const occupied = model.occupied()
    const kind = choose(dice, occupied.length)
    const known = occupied.length === 0 ? dice.pick(CONTESTED) : dice.pick(occupied)
    const path = dice.chance(0.6) ? dice.pick(CONTESTED) : known
    const added = `r${round}/${dice.between(1, 3)}/n${++made}${dice.chance(0.25) ? '.png' : '.bin'}`
    if (kind === 'upload') await upload(added, dice, false)
    else if (kind === 'remove') await remove(dice.chance(0.7) ? known : path)
    else if (kind === 'read' || kind === 'webp') await read(path, kind === 'webp')
    else await upload(path, dice, kind === 'guarded')
    answered[kind]++
  }

  const client = async (dice: Random) => {
    while (!ended) {
      open++
      try {
        await step(dice)
        open--
      } catch (error) {
        // The service was killed, as intended; the operation stays open in the model.
        if (ended) return
        if (!onBroken) return void violations.push(`the service failed before it was killed: ${error}`)
        onBroken()
      }
    }
  }

  const clients = Promise.all(Array.from({ length: CLIENTS }, () => client(random.fork())))
  return {
    /** Number of uploads answered so far. */
    uploads: () => answered.upload,
    /** Number of writes that were answered as done so far. */
    acknowledged: () => acknowledged,
    /** Waits until every client has noticed the end of the service; returns what was wrong meanwhile. */
    finished: clients.then(() => ({ violations, answered, open })),
    /** No new requests from now on. */
    end: () => {
      ended = true
    },
  }
}

function choose(dice: Random, occupied: number) {
  const roll = dice.next()
  if (roll < 0.3) return occupied > ENOUGH_PATHS ? 'remove' : 'upload'
  if (roll < 0.55) return 'overwrite'
  if (roll < 0.63) return 'guarded'
  if (roll < 0.77) return 'remove'
  return roll < 0.92 ? 'read' : 'webp'
}
