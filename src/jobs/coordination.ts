/**
 * The coordination port: decides which process may do a task that must not be done twice at the same time.
 * Several processes are the normal case: several instances, and an operator's command beside the service.
 */

/** The tasks that a process can hold. One list, so that two tasks never get the same name. */
export type Task =
  | 'backup'
  | 'discards'
  | 'relocations'
  | 'derived'
  | 'trash'
  | 'sweep'
  | 'scrub'
  | 'sessions'
  | 'notify'
  | 'disk-watch'
  | 'statistics'
  | `derive ${string}`

export interface Coordination {
  /**
   * Runs `work`, or answers null at once when this or another process already holds the task. The task is
   * free again when `work` ends, whether it succeeds or fails, and some time after the process that held it
   * has died. `signal` aborts when the task was lost during `work`, for example after the machine was
   * suspended. Another process may then be doing the task, so `work` must stop.
   */
  exclusively<T>(task: Task, work: (signal: AbortSignal) => Promise<T>): Promise<{ result: T } | null>

  /**
   * Whether any process holds the task. If the answer is no, then data that the caller read from the database
   * before asking is older than the data with which the next holder begins.
   */
  isHeld(task: Task): Promise<boolean>
}
