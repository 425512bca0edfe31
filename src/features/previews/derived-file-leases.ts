/**
 * Leases for making a derived file or a picture in a size. They expire sooner than other leases, because a
 * reader may wait for the file of a process that has died.
 */
import { createLeases } from '../../jobs/leases.ts'
import type { FeatureParts } from '../feature.ts'

/** Milliseconds that a lease lasts after its last renewal. */
const LEASE_TIME = 20_000
/** Milliseconds between two renewals of a lease. */
const RENEWAL_INTERVAL = 6_000

export const createDerivedFileLeases = ({
  database,
  newId,
  now,
  log,
}: Pick<FeatureParts, 'database' | 'newId' | 'now' | 'log'>) =>
  createLeases({
    database,
    newId,
    now,
    log,
    leaseTime: LEASE_TIME,
    renewalInterval: RENEWAL_INTERVAL,
  })
