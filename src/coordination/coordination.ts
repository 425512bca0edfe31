/**
 * The coordination port: who may do a piece of work that must not be done twice at once. Several processes are the normal
 * case: instances beside each other, and an operator's command beside the service.
 */

/** What may be held. One list, so that nobody takes a name for something else. */
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

export interface Coordination {
  /**
   * Runs `work` unless the task is held, in this process or another one; null then, at once. The task is free again when
   * `work` ends, however it ends, and some while after the process that held it has died. `signal` aborts when the
   * task was lost in the middle, as after a machine was suspended: somebody else may be at it, so stop.
   */
  exclusively<T>(task: Task, work: (signal: AbortSignal) => Promise<T>): Promise<{ result: T } | null>

  /**
   * Whether somebody holds the task. What was read from the database before asking is older than whatever a holder
   * begins with after a "no".
   */
  isHeld(task: Task): Promise<boolean>
}
