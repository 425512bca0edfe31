/**
 * Coordination between processes by leases. A lease is a lock that expires if its process dies. One caller at
 * a time holds it, for work that must not run twice at once. Several processes may use an instance: workers,
 * services on other machines, and commands that run beside the service.
 */

/** The names of all leases, in one list, so that no two leases have the same name. */
export type LeaseName =
  | 'backup'
  | 'rehearsal'
  | 'discards'
  | 'relocations'
  | 'derived'
  | 'trash'
  | 'retention'
  | 'sweep'
  | 'scrub'
  | 'sessions'
  | 'tickets'
  | 'notify'
  | 'disk-watch'
  | 'statistics'
  | 'partial-uploads'
  | 'picture-sizes'
  | `derive ${string}`
  | `size ${string}`

export interface Coordination {
  /**
   * Runs `work`, or returns null without waiting if this or another process holds the lease. The lease is
   * free again when `work` ends, or some time after the process has died. `signal` is aborted if the lease is
   * lost during `work`, for example because the machine was suspended. Another process may then be doing the
   * same work, so `work` must stop.
   */
  exclusively<T>(lease: LeaseName, work: (signal: AbortSignal) => Promise<T>): Promise<{ result: T } | null>

  /**
   * Whether any process holds the lease. If none does, everything that the caller has read from the database
   * before this call is also visible to the process that takes the lease next.
   */
  isHeld(lease: LeaseName): Promise<boolean>
}
