/**
 * What `many.ts` compares: the service embedded, and on PostgreSQL and an object store that both flush what
 * they keep.
 */
import { startCeph } from '../test/support/ceph.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { type ServiceOptions, startService } from '../test/support/service.ts'
import { makePlace } from '../test/support/shared-place.ts'
import type { Bar } from './report.ts'

export interface Bench extends AsyncDisposable {
  postgres: { port: number }
  /** A fresh database and a fresh bucket. */
  newPlace(): ReturnType<typeof makePlace>
  /** For lists of addresses. */
  folder: string
  quick: boolean
}

export async function openBench(folder: string, quick: boolean): Promise<Bench> {
  const [postgres, ceph] = await Promise.all([startPostgres({ flushed: true }), startCeph({ flushed: true })])
  return {
    folder,
    quick,
    postgres,
    newPlace: () => makePlace(postgres, ceph.place),
    async [Symbol.asyncDispose]() {
      await ceph[Symbol.asyncDispose]()
      await postgres.stop()
    },
  }
}

/** Real processes, whose folder lies on the disk, and which insist on a database server that flushes. */
export const startReal = ({ env, ...options }: ServiceOptions) =>
  startService({ ownProcess: true, onDisk: true, env: { FUNDUS_TEST_UNFLUSHED: '', ...env }, ...options })

export const bar = (what: string, found: string, met: boolean): Bar => ({
  what,
  found,
  verdict: met ? 'pass' : 'MISS',
})
