/** The messages between supervisor and workers. */
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import type { SeenStatus } from '../../features/workers.ts'

/** Set only in the environment of a worker: the process id of its supervisor. */
export const WORKER_VARIABLE = 'FUNDUS_WORKER'

/** `figures`: report your counts. `write-down`: write counters in memory to the database. */
export type Question = 'figures' | 'write-down'

export type Report =
  /** The first report: the worker can receive orders. */
  | { kind: 'hello' }
  /** The worker answers requests on this port. */
  | { kind: 'ready'; port: number }
  /** A question to all workers, with a number chosen by the asker; `answers` follows. */
  | { kind: 'ask'; id: number; question: Question }
  | { kind: 'answer'; id: number; figures: Figures }
  /** The last figures of a worker that stops, unasked. */
  | { kind: 'figures'; figures: Figures }
  /** An event for the event streams of the other workers. */
  | { kind: 'event'; event: ServiceEvent }
  /** The `/status` result, which the other workers also use for ten seconds. */
  | { kind: 'status'; seen: SeenStatus }
  /** Heartbeat, every second: the event loop is not blocked. */
  | { kind: 'alive' }

export type Order =
  | { kind: 'begin'; number: number; count: number; startedAt: number; port: number }
  /** All workers answer: report the address in the log or at the terminal. */
  | { kind: 'announce' }
  | { kind: 'question'; id: number; question: Question }
  | { kind: 'answers'; id: number; figures: Figures }
  | { kind: 'event'; event: ServiceEvent }
  | { kind: 'status'; seen: SeenStatus }
  /** `drain`: another worker takes over, so clients are first told to close their connections. */
  | { kind: 'stop'; drain: boolean }
