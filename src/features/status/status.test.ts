/** The throttle, the deadlines and the age of the backup, with a clock that the test sets. */

import { beforeEach, describe, expect, test } from 'bun:test'
import { nextTurn } from '../../../test/support/wait.ts'
import { createLog } from '../../base/log.ts'
import {
  CHECK_REASONS,
  type CheckReason,
  HEALTH_CHECKS,
  type HealthCheck,
} from '../../contract/service/status.ts'
import type { Database } from '../../database/database.ts'
import type { Storage } from '../../storage/storage.ts'
import { NOTHING_LOST, STEADY_CLOCK } from '../../testing/instance.ts'
import { createSettings } from '../settings/settings.ts'
import type { TimedStatus } from '../workers.ts'
import { createChecks } from './checks.ts'
import { type CheckOutcome, createStatus, type RunCheck } from './status.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const START = Date.UTC(2026, 0, 1)
let clock = START
const lines: string[] = []
const log = createLog({ level: 'info', isHumanReadable: false, write: line => lines.push(line) })
const settings = createSettings({ environment: {}, port: 1 })
const now = () => clock
beforeEach(() => {
  clock = START
  lines.length = 0
})

/** All checks pass except those in `given`; counts the runs. */
function statusWith(given: Partial<Record<HealthCheck, RunCheck>>, timeLimit?: number) {
  const runs = { count: 0 }
  const well: RunCheck = async () => ({})
  const checks = Object.fromEntries(HEALTH_CHECKS.map(was => [was, given[was] ?? well])) as Record<
    HealthCheck,
    RunCheck
  >
  const counted: RunCheck = () => {
    runs.count++
    return checks.datenbank()
  }
  const told: TimedStatus[] = []
  const onAnswer = (seen: TimedStatus) => void told.push(seen)
  const parts = { checks: { ...checks, datenbank: counted }, settings, log, now, startedAt: now(), onAnswer }
  return { runs, told, status: createStatus({ ...parts, ...(timeLimit !== undefined && { timeLimit }) }) }
}
const failing =
  (grund: CheckReason): RunCheck =>
  async () => ({ grund })

describe('the answer', () => {
  test('names the service, its uptime in seconds and the checks in their order', async () => {
    const { status } = statusWith({})
    clock += 90_999
    expect(await status.answer()).toEqual({
      dienst: 'Fundus',
      ok: true,
      stand: 'gesund',
      seit: 90,
      pruefungen: HEALTH_CHECKS.map(was => ({ was, ok: true })),
    })
  })

  test('gives the reason of what fails, and nothing of its cause', async () => {
    const cause = new Error('/srv/data/secret.png is gone')
    const { status } = statusWith({ platte: async () => ({ grund: CHECK_REASONS.diskRefuses, cause }) })
    const answer = await status.answer()
    expect(answer).toMatchObject({ ok: false, stand: 'gestoert' })
    expect(answer.pruefungen[1]).toEqual({
      was: 'platte',
      ok: false,
      grund: CHECK_REASONS.diskRefuses,
      code: 'check-disk-refuses',
    })
    expect(lines.join('')).toContain('secret.png')
  })

  test('a check that throws fails, without a word of what it threw', async () => {
    const { status } = statusWith({ platz: () => Promise.reject(new Error('ENOENT /srv')) })
    expect((await status.answer()).pruefungen[4]).toEqual({
      was: 'platz',
      ok: false,
      grund: CHECK_REASONS.broken,
      code: 'check-broken',
    })
  })

  test('the log hears of a change, not of every look', async () => {
    let finding: CheckOutcome = { grund: CHECK_REASONS.spaceLow }
    const { status } = statusWith({ platz: async () => finding })
    for (let round = 0; round < 3; round++) {
      await status.answer()
      clock += 10 * SECOND
    }
    finding = {}
    await status.answer()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('platz')
  })
})

describe('ten seconds', () => {
  test('a call within them repeats the last answer, one after them looks anew', async () => {
    let finding: CheckOutcome = {}
    const { status, runs } = statusWith({ platte: async () => finding })
    const first = await status.answer()
    finding = { grund: CHECK_REASONS.diskFull }
    clock += 10 * SECOND - 1
    expect(await status.answer()).toEqual(first)
    expect(runs.count).toBe(1)
    clock += 1
    expect((await status.answer()).stand).toBe('gestoert')
    expect(runs.count).toBe(2)
  })

  test('calls at the same time share one run', async () => {
    const { status, runs } = statusWith({ platte: () => nextTurn().then(() => ({})) })
    const answers = await Promise.all(Array.from({ length: 50 }, () => status.answer()))
    expect(runs.count).toBe(1)
    expect(new Set(answers).size).toBe(1)
  })

  test('several workers look once: the others hear of it, repeat it, and do not log it again', async () => {
    const fails = { platz: failing(CHECK_REASONS.spaceLow) }
    const [one, other] = [statusWith(fails), statusWith(fails)]
    const answer = await one.status.answer()
    expect(one.told).toEqual([{ checkedAt: START, answer }])
    other.status.adopt(one.told[0]!)
    clock += 10 * SECOND - 1
    expect(await other.status.answer()).toEqual(answer)
    expect(other.runs.count).toBe(0)
    clock += 1
    expect((await other.status.answer()).seit).toBe(10)
    expect({ runs: other.runs.count, lines: lines.length }).toEqual({ runs: 1, lines: 1 })
  })

  test('a clock that was set back does not keep an answer alive', async () => {
    const { status, runs } = statusWith({})
    await status.answer()
    clock -= HOUR
    await status.answer()
    expect(runs.count).toBe(2)
  })
})

describe('a check that hangs', () => {
  test('fails in time, is not started again beside itself, and is well again when it ends', async () => {
    let started = 0
    const hanging = Promise.withResolvers<CheckOutcome>()
    const hang: RunCheck = () => {
      started++
      return hanging.promise
    }
    const { status } = statusWith({ ausliefern: hang }, 20)
    for (let round = 0; round < 3; round++) {
      const { stand, pruefungen } = await status.answer()
      expect(stand).toBe('gestoert')
      expect(pruefungen[2]).toEqual({
        was: 'ausliefern',
        ok: false,
        grund: CHECK_REASONS.tooSlow,
        code: 'check-too-slow',
      })
      clock += 10 * SECOND
    }
    expect(started).toBe(1)
    hanging.resolve({})
    await nextTurn()
    expect((await status.answer()).stand).toBe('gesund')
  })

  test('others are not held up by it', async () => {
    const { status } = statusWith(
      { platz: () => new Promise(() => {}), platte: failing(CHECK_REASONS.diskRefuses) },
      20,
    )
    expect((await status.answer()).pruefungen.filter(({ ok }) => !ok).map(({ was }) => was)).toEqual([
      'platte',
      'platz',
    ])
  })
})

describe('sicherung', () => {
  type Report = { ok: boolean; zeit: number; orte: number } | null
  const found = (report: Report, since = START) =>
    createChecks({
      database: {} as Database,
      storage: {} as Storage,
      clockWatch: STEADY_CLOCK,
      lostChanges: NOTHING_LOST,
      space: async () => null,
      backups: {
        lastReport: async () => report,
        lastRehearsal: async () => null,
        instanceCreatedAt: async () => since,
      },
      now,
      random: () => 0,
    }).sicherung()

  test('before the first one: well for the first 26 hours of the instance, not a moment longer', async () => {
    clock = START + 26 * HOUR
    expect(await found(null)).toEqual({ hinweis: CHECK_REASONS.backupNever })
    clock += 1
    expect(await found(null)).toEqual({ grund: CHECK_REASONS.backupNever })
  })

  test('fails from 26 hours on, and says where the archive lies either way', async () => {
    const report = { ok: true, zeit: START, orte: 3 }
    clock = START + 26 * HOUR
    expect(await found(report)).toEqual({ hinweis: 'Das letzte Archiv liegt an drei Orten.' })
    clock += 1
    expect(await found(report)).toEqual({
      grund: CHECK_REASONS.backupOld,
      hinweis: 'Das letzte Archiv liegt an drei Orten.',
    })
  })

  test('fails when the last one is dated in the future', async () => {
    clock = START
    expect(await found({ ok: true, zeit: START + 30_000, orte: 1 })).toEqual({
      hinweis: 'Das letzte Archiv liegt nur an einem Ort.',
    })
    expect(await found({ ok: true, zeit: START + 24 * HOUR, orte: 1 })).toEqual({
      grund: CHECK_REASONS.backupAhead,
      hinweis: 'Das letzte Archiv liegt nur an einem Ort.',
    })
  })

  test('fails when the archive of a good one is nowhere any more', async () => {
    expect(await found({ ok: true, zeit: START, orte: 0 })).toEqual({ grund: CHECK_REASONS.backupGone })
    expect(await found({ ok: true, zeit: START, orte: 1 })).toEqual({
      hinweis: 'Das letzte Archiv liegt nur an einem Ort.',
    })
  })

  test('fails when the last one failed, however young', async () => {
    expect(await found({ ok: false, zeit: START, orte: 1 })).toEqual({
      grund: CHECK_REASONS.backupFailed,
      hinweis: 'Das letzte Archiv liegt nur an einem Ort.',
    })
    expect(await found({ ok: false, zeit: START, orte: 0 })).toEqual({ grund: CHECK_REASONS.backupFailed })
  })
})

describe('platz', () => {
  const found = (used: number, free: number) =>
    createChecks({
      database: {} as Database,
      storage: {} as Storage,
      clockWatch: STEADY_CLOCK,
      lostChanges: NOTHING_LOST,
      space: async () => ({ used, free, total: 10_000 }),
      backups: {
        lastReport: async () => null,
        lastRehearsal: async () => null,
        instanceCreatedAt: async () => 0,
      },
      now,
      random: () => 0,
    }).platz()

  test.each([
    [949, 51, {}],
    [950, 50, { grund: CHECK_REASONS.spaceLow }],
    [1000, 0, { grund: CHECK_REASONS.spaceLow }],
    [0, 1000, {}],
  ])('%i used, %i free', async (used, free, finding) => {
    expect(await found(used, free)).toEqual(finding)
  })
})
