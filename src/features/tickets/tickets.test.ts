import { beforeEach, describe, expect, test } from 'bun:test'
import { newTicket } from '../../contract/upload/tickets.ts'
import { DAY, HOUR } from '../../contract/values/units.ts'
import { createTestApp } from '../../testing/app.ts'
import { useInstance } from '../../testing/instance.ts'
import { countTickets } from './tickets.store.ts'

const instance = await useInstance()
const { database } = instance
let clock = 0
const { features, job } = createTestApp(instance, () => clock)
const { tickets } = features.tickets
const { tokens } = features.tokens

beforeEach(() => {
  clock = Date.UTC(2030, 0, 1)
})

const newToken = async () => (await tokens.create({ name: 'x' })).token
const ticketOf = async (input: object = {}, token?: Awaited<ReturnType<typeof newToken>>) =>
  (await tickets.create(token ?? (await newToken()), newTicket.parse(input))).secret
const outcome = (secret: string) =>
  tickets.open(secret).then(
    () => 'open',
    error => error.code,
  )

test('holds up to its end, and from then on is refused', async () => {
  const secret = await ticketOf({ gueltig_s: 60 })
  clock += 59_999
  expect(await outcome(secret)).toBe('open')
  clock += 1
  expect(await outcome(secret)).toBe('ticket-invalid')
})

test('made by a clock that was ahead, is not valid for longer than a ticket can be', async () => {
  clock += 30 * DAY
  const secret = await ticketOf({ gueltig_s: 600 })
  clock -= 30 * DAY
  expect(await outcome(secret)).toBe('ticket-invalid')
})

describe('a use', () => {
  test('is given back with the transaction that fails', async () => {
    const secret = await ticketOf()
    const use = await tickets.open(secret)
    const failing = database.transaction(async tx => {
      await use.claim(tx)
      throw new Error('no space left')
    })
    expect(await failing.catch(error => error.message)).toBe('no space left')
    await database.transaction(use.claim)
    expect(await outcome(secret)).toBe('ticket-invalid')
    expect(await database.transaction(use.claim).catch(error => error.code)).toBe('ticket-invalid')
  })

  test('that began in time counts after the end, and not after its token was withdrawn', async () => {
    const token = await newToken()
    const [one, other] = [
      await tickets.open(await ticketOf({}, token)),
      await tickets.open(await ticketOf({}, token)),
    ]
    clock += HOUR
    await job('tickets').run(new AbortController().signal)
    await database.transaction(one.claim)
    await tokens.withdraw(token.id)
    expect(await database.transaction(other.claim).catch(error => error.code)).toBe('ticket-invalid')
  })
})

test('the job removes tickets a day after their end, and no others', async () => {
  const token = await newToken()
  await ticketOf({ gueltig_s: 60 }, token)
  await ticketOf({ gueltig_s: 86_400 }, token)
  clock += DAY
  await job('tickets').run(new AbortController().signal)
  expect(await countTickets(database.read, token.id)).toBe(2)
  clock += 60_001
  await job('tickets').run(new AbortController().signal)
  expect(await countTickets(database.read, token.id)).toBe(1)
})

test('a token has at most 10 000; those of others do not count', async () => {
  const token = await newToken()
  const { hash: _, ...row } = (await database.read.selectFrom('ticket').selectAll().executeTakeFirst())!
  await database.transaction(async tx => {
    for (let at = 0; at < 10_000; at += 500)
      await tx
        .insertInto('ticket')
        .values(Array.from({ length: 500 }, (_, n) => ({ ...row, hash: `${at + n}`, token_id: token.id })))
        .execute()
  })
  expect(await ticketOf({}, token).catch(error => [error.status, error.code])).toEqual([
    429,
    'tickets-too-many',
  ])
  expect(await outcome(await ticketOf())).toBe('open')
})
