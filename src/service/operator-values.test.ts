/**
 * The values that an operator gets. Other tests shorten delays and use cheap hashes; this file checks what a
 * start without any settings uses.
 */
import { expect, test } from 'bun:test'
import { readConfig } from '../config/config.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../contract/values/units.ts'
import { internet } from '../features/fetch-url/network.ts'
import { createPasswords } from '../features/session/sign-in/passwords.ts'
import { createTestApp } from '../testing/app.ts'
import { useInstance } from '../testing/instance.ts'
import { processContextOf } from './main.ts'

const instance = await useInstance()
const real = processContextOf(readConfig({ DATA_DIR: instance.root }))
const AT = Date.UTC(2026, 10, 16)
const { features, jobs } = createTestApp(instance, () => AT, {}, real.delays)

test('passwords: argon2id with 19 MiB and two passes', async () => {
  const hash = await createPasswords(real.argon).hash('a password')
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
})

test('upload-url: 10 seconds to connect, a minute in all, 15 seconds without a byte', () => {
  expect(internet.limits).toEqual({ connect: 10 * SECOND, total: MINUTE, stall: 15 * SECOND })
})

test('events: a heartbeat every 20 seconds, changes after a second', () => {
  expect(real.delays).toMatchObject({ heartbeat: 20 * SECOND, changeCheck: SECOND })
})

test('an object that was let go stays for 3 seconds', () => {
  expect(real.delays.objectDeletion).toBe(3 * SECOND)
  expect(features.files.discards.dueAt() - AT).toBe(3 * SECOND)
})

test('when every job runs, whether at the start too, and which ones one process does for all', () => {
  const schedule = jobs.map(job => [
    job.name,
    'interval' in job ? job.interval : job.dailyAt(),
    'interval' in job && job.atStart === true,
    job.lease ?? null,
  ])
  expect(schedule).toEqual([
    ['retrieval counters', 30 * SECOND, false, null],
    ['token use', 30 * SECOND, false, null],
    ['database', MINUTE, true, null],
    ['mark', 10 * MINUTE, false, null],
    ['failed uploads', MINUTE, false, null],
    ['discard list', MINUTE, true, 'discards'],
    ['relocation list', MINUTE, true, 'relocations'],
    ['unfinished uploads', HOUR, true, 'partial-uploads'],
    ['derived files', MINUTE, true, 'derived'],
    ['asked sizes', 30 * SECOND, false, null],
    ['picture sizes', 10 * MINUTE, false, 'picture-sizes'],
    ['trash', HOUR, true, 'trash'],
    ['retention', '05:00', false, 'retention'],
    ['tickets', HOUR, true, 'tickets'],
    ['session use', 30 * SECOND, false, null],
    ['sessions and locks', HOUR, true, 'sessions'],
    ['archives', DAY, true, null],
    ['backup', '03:30', false, null],
    ['rehearsal', '05:30', false, 'rehearsal'],
    ['staging', HOUR, true, null],
    ['orphan sweep', '04:30', false, 'sweep'],
    ['integrity', 15 * MINUTE, false, 'scrub'],
    ['messages', SECOND, true, null],
    ['disk watch', MINUTE, true, null],
    ['statistics', MINUTE, true, 'statistics'],
  ])
})
