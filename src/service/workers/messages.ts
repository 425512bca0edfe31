/** The messages between supervisor and workers. */
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import type { SeenStatus } from '../../features/workers.ts'

/** Set in the environment of a worker, and of nothing else: the process id of its supervisor. */
export const WORKER_VARIABLE = 'FUNDUS_WORKER'

/**
 * `figures`: tell what you have counted. `write-down`: write the counters that are only in memory to the
 * database.
 */
export type Question = 'figures' | 'write-down'

/** From a worker to the supervisor. */
export type Report =
  /** The first report: the worker is ready to receive orders. */
  | { kind: 'hello' }
  /** The worker answers requests on this port. */
  | { kind: 'ready'; port: number }
  /** A question to all workers, with a number of the asker's own; `answers` follows. */
  | { kind: 'ask'; id: number; question: Question }
  | { kind: 'answer'; id: number; figures: Figures }
  /** The last figures of a worker that ends, which nobody has asked for. */
  | { kind: 'figures'; figures: Figures }
  /** For the event streams of the others. */
  | { kind: 'event'; event: ServiceEvent }
  /** What `/status` answers for the next ten seconds, for the others to answer too. */
  | { kind: 'status'; seen: SeenStatus }
  /** Heartbeat, every second: the event loop is not blocked. */
  | { kind: 'alive' }

/** From the supervisor to a worker. */
export type Order =
  | { kind: 'begin'; number: number; count: number; startedAt: number; port: number }
  /** Says where the service is, in the log and to a person at a terminal: all workers answer. */
  | { kind: 'announce' }
  | { kind: 'question'; id: number; question: Question }
  | { kind: 'answers'; id: number; figures: Figures }
  | { kind: 'event'; event: ServiceEvent }
  | { kind: 'status'; seen: SeenStatus }
  /** `drain`: another worker takes over, so clients are first told to close their connections. */
  | { kind: 'stop'; drain: boolean }
