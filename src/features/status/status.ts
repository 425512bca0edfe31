/**
 * Runs the checks of `/status` in parallel, each with a time limit, so that a hanging disk does not hang the
 * request.
 */

import { createTimeLimit } from '../../base/time-limit.ts'
import {
  CHECK_REASONS,
  type CheckAnswer,
  type CheckReason,
  codeOfCheckSentence,
  HEALTH_CHECKS,
  type HealthCheck,
  healthStateOf,
  STATUS_REUSE_TIME,
  type StatusAnswer,
} from '../../contract/service/status.ts'
import type { FeatureParts } from '../feature.ts'
import type { TimedStatus } from '../workers.ts'

/** Milliseconds that a check may take. */
const CHECK_TIME_LIMIT = 5000

/** `grund` says why the check failed, `hinweis` is a remark. `cause` is only for the log. */
export interface CheckOutcome {
  grund?: CheckReason
  hinweis?: string
  cause?: unknown
}

/** Runs a check. It has failed if it returns a `grund` or rejects. */
export type RunCheck = () => Promise<CheckOutcome>

interface StatusParts extends Pick<FeatureParts, 'log' | 'now' | 'settings'> {
  checks: Readonly<Record<HealthCheck, RunCheck>>
  /** Unix milliseconds, for the uptime. */
  startedAt: number
  /** Passes each new answer to the other workers. */
  onAnswer: (status: TimedStatus) => void
  timeLimit?: number
}

export type Status = ReturnType<typeof createStatus>

export function createStatus(parts: StatusParts) {
  const { settings, log, now, startedAt, onAnswer, timeLimit = CHECK_TIME_LIMIT } = parts
  const withTimeLimit = createTimeLimit(timeLimit)
  const checkStates = HEALTH_CHECKS.map(check => ({ check, isFailing: false }))
  let lastStatus: TimedStatus | null = null
  let runningChecks: Promise<StatusAnswer> | null = null

  async function runCheck(state: (typeof checkStates)[number]): Promise<CheckAnswer> {
    const { check } = state
    const { grund, hinweis, cause } = await withTimeLimit(
      check,
      () => runSafely(parts.checks[check]),
      TOO_SLOW_OUTCOME,
    )
    const isFailing = grund !== undefined
    // Logged only when the outcome changes, because monitoring calls every minute.
    if (isFailing && !state.isFailing)
      log.warn('a check of the status fails', { check, reason: grund, cause })
    if (!isFailing && state.isFailing) log.info('a check of the status is well again', { check })
    state.isFailing = isFailing
    const code = codeOfCheckSentence(grund ?? hinweis ?? '')
    return {
      was: check,
      ok: !isFailing,
      ...(grund && { grund }),
      ...(hinweis && { hinweis }),
      ...(code && { code }),
    }
  }

  async function runChecks(): Promise<StatusAnswer> {
    const pruefungen = await Promise.all(checkStates.map(runCheck))
    const stand = healthStateOf(pruefungen)
    const checkedAt = now()
    const answer: StatusAnswer = {
      dienst: settings.current().DIENST,
      ok: stand === 'gesund',
      stand,
      seit: Math.max(0, Math.floor((checkedAt - startedAt) / 1000)),
      pruefungen,
    }
    lastStatus = { checkedAt, answer }
    onAnswer(lastStatus)
    return answer
  }

  return {
    /** The checks run at most once in ten seconds; requests in between get the last answer. */
    async answer() {
      const age = lastStatus ? now() - lastStatus.checkedAt : Number.POSITIVE_INFINITY
      // A negative age means that the clock was set back. Without `age >= 0` the old answer would be given
      // until the clock catches up.
      if (lastStatus && age >= 0 && age < STATUS_REUSE_TIME) return lastStatus.answer
      runningChecks ??= runChecks().finally(() => {
        runningChecks = null
      })
      return runningChecks
    },
    /**
     * Adopts the answer of another worker, so that all workers together usually check only once in ten
     * seconds.
     */
    adopt(otherStatus: TimedStatus) {
      lastStatus = otherStatus
      // The other worker has logged which checks fail, so this one must not log them again.
      for (const state of checkStates)
        state.isFailing = otherStatus.answer.pruefungen.some(
          ({ was: check, ok }) => check === state.check && !ok,
        )
    },
  }
}

const TOO_SLOW_OUTCOME: CheckOutcome = { grund: CHECK_REASONS.tooSlow }

async function runSafely(run: RunCheck): Promise<CheckOutcome> {
  try {
    return await run()
  } catch (cause) {
    return { grund: CHECK_REASONS.broken, cause }
  }
}
