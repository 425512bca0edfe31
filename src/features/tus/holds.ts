/**
 * Lets one request at a time add to an upload, across all machines. Its hold (a lock that expires) is
 * recorded in the upload's row and renewed while the request runs; if the process dies, the hold expires
 * after `LEASE_INTERVALS` renewal intervals. A request that finds the upload held marks the row as wanted.
 * The holder then gives up if its client sends nothing, for example because the client's network has changed.
 */
import type { Delays } from '../../config/delays.ts'
import { failure } from '../../errors/errors.ts'
import type { FeatureParts } from '../feature.ts'
import * as store from './tus.store.ts'

/** Number of renewal intervals for which a hold is valid if it is not renewed. */
const LEASE_INTERVALS = 5
/** Maximum number of renewal intervals for which another request waits for the hold. */
const MAX_WAIT_INTERVALS = 3

/** Milliseconds between two attempts to get the hold. */
const POLL_INTERVAL = 100

export interface Hold extends AsyncDisposable {
  row: store.PartialUploadRow & { holder: string }
  /**
   * Aborts when the request should end early: the hold was lost, or another request is waiting and this
   * client is silent.
   */
  signal: AbortSignal
  /** Must be called for every chunk that arrives. */
  noteActivity(): void
  /** True while the service itself is working; the silence of the client is then ignored. */
  isWorking: boolean
}

export type Holds = ReturnType<typeof createHolds>

type HoldsParts = Pick<FeatureParts, 'database' | 'newId' | 'now'> & {
  delays: Pick<Delays, 'uploadLockRenewal'>
}

export function createHolds({
  database,
  newId,
  now,
  delays: { uploadLockRenewal: renewalInterval },
}: HoldsParts) {
  const leaseTime = renewalInterval * LEASE_INTERVALS

  /**
   * Takes the hold as soon as it is free. Resolves to false if it was not released in time. Rejects with 404
   * if there is no such upload.
   */
  async function waitForHold(id: string, holder: string): Promise<boolean> {
    const deadline = performance.now() + renewalInterval * MAX_WAIT_INTERVALS
    for (;;) {
      const claimedAt = now()
      const claim = { holder, now: claimedAt, latestEnd: claimedAt + leaseTime }
      const outcome = await database.transaction(tx => store.takeHold(tx, id, claim))
      if (outcome === 'absent') throw failure.tusAbsent()
      if (outcome === 'taken') return true
      if (performance.now() >= deadline) return false
      await Bun.sleep(POLL_INTERVAL)
    }
  }

  function createHold(row: Hold['row']): Hold {
    const controller = new AbortController()
    let lastActivityAt = performance.now()
    let renewalPromise = Promise.resolve()

    async function renew(): Promise<void> {
      const renewal = { holder: row.holder, heldUntil: now() + leaseTime }
      const renewedHold = await database.transaction(tx => store.renewHold(tx, row.id, renewal))
      const isSilent = !hold.isWorking && performance.now() - lastActivityAt > renewalInterval / 2
      if (!renewedHold || (renewedHold.isWanted && isSilent)) controller.abort()
    }

    const timer = setInterval(() => {
      renewalPromise = renewalPromise.then(renew).catch(() => {})
    }, renewalInterval)
    const hold: Hold = {
      row,
      signal: controller.signal,
      isWorking: false,
      noteActivity() {
        lastActivityAt = performance.now()
      },
      async [Symbol.asyncDispose]() {
        clearInterval(timer)
        await renewalPromise
        // If this fails, the hold expires by itself.
        await database.transaction(tx => store.releaseHold(tx, row.id, row.holder)).catch(() => {})
      },
    }
    return hold
  }

  /**
   * Takes the hold of an upload. Rejects with 423 if another request does not release the upload in time, and
   * with 404 if there is no such upload.
   */
  async function take(id: string): Promise<Hold> {
    const holderId = newId()
    if (!(await waitForHold(id, holderId))) throw failure.tusLocked()
    const row = await store.findPartialUpload(database.read, id)
    if (!row) throw failure.tusAbsent()
    if (row.holder !== holderId) throw failure.tusLocked()
    return createHold({ ...row, holder: holderId })
  }

  return {
    take,

    /**
     * Waits until nobody holds the upload, at most as long as `take` would, and returns its current row. If
     * `row` shows no valid hold, or if waiting fails, returns `row` itself.
     */
    async waitUntilReleased(row: store.PartialUploadRow): Promise<store.PartialUploadRow> {
      if (row.held_until <= now()) return row
      await using hold = await take(row.id).catch(() => null)
      return hold?.row ?? row
    },
  }
}
