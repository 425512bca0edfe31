/** The messages between supervisor and workers. */
import type { ServiceEvent } from '../../contract/files/events.ts'
import type { Figures } from '../../features/metrics/figures.ts'
import type { TimedStatus } from '../../features/workers.ts'

/** Set only in the environment of a worker. Its value is the process id of the supervisor. */
export const WORKER_VARIABLE = 'FUNDUS_WORKER'

/**
 * What a worker asks all workers to do. `figures`: report their metrics. `write-down`: write to the database
 * what is only in memory, such as retrieval counts, and then report their metrics.
 */
export type WorkerQuestion = 'figures' | 'write-down'

/** A message from a worker to the supervisor. */
export type WorkerMessage =
  /** The first message: the worker can receive messages. */
  | { kind: 'hello' }
  /** The worker answers requests on this port. */
  | { kind: 'ready'; port: number }
  /**
   * A question to all workers. The asking worker chooses `id`; the answer of the supervisor (`answers`)
   * repeats it.
   */
  | { kind: 'ask'; id: number; question: WorkerQuestion }
  | { kind: 'answer'; id: number; figures: Figures }
  /** The last figures of a worker that stops, which it sends without being asked. */
  | { kind: 'figures'; figures: Figures }
  /** An event for the event streams of the other workers. */
  | { kind: 'event'; event: ServiceEvent }
  /** A result of `/status`, which the other workers also use until it is ten seconds old. */
  | { kind: 'status'; seen: TimedStatus }
  /** The heartbeat, sent every second. It shows that the event loop is not blocked. */
  | { kind: 'alive' }

/** A message from the supervisor to a worker. */
export type SupervisorMessage =
  | { kind: 'begin'; number: number; count: number; startedAt: number; port: number }
  /** All workers answer requests, so this worker reports the address in the log or at the terminal. */
  | { kind: 'announce' }
  | { kind: 'question'; id: number; question: WorkerQuestion }
  | { kind: 'answers'; id: number; figures: Figures }
  | { kind: 'event'; event: ServiceEvent }
  | { kind: 'status'; seen: TimedStatus }
  /** `drain`: another worker takes over, so clients are first told to close their connections. */
  | { kind: 'stop'; drain: boolean }
