/**
 * The coordination port: decides which process may do a task that must not run twice at a time. Several
 * processes are the normal case: several instances, and commands beside the service.
 */

/** One list, so that two tasks never get the same name. */
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
   * Runs `work`, or returns null at once if this or another process holds the task. The task is free again
   * when `work` ends, and some time after its process has died. `signal` aborts when the task was lost during
   * `work`, for example after the machine was suspended. Another process may then be doing the task, so
   * `work` must stop.
   */
  exclusively<T>(task: Task, work: (signal: AbortSignal) => Promise<T>): Promise<{ result: T } | null>

  /**
   * If this returns false, data that the caller read from the database before the call is older than the data
   * with which the next holder begins.
   */
  isHeld(task: Task): Promise<boolean>
}
