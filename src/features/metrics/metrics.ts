/** Collects all metrics and writes the text of `/metrics`. */
import type { DiskFaults } from '../../base/system/disk-faults.ts'
import type { ConnectionCounts } from '../../http/server/connections.ts'
import type { JobStatistics } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import type { Workers } from '../workers.ts'
import { createExposition, type Exposition, expositionText, type Sample } from './exposition.ts'
import type { Figures } from './figures.ts'
import { readQueueLengths } from './metrics.store.ts'
import type { ContentTally, Tally } from './tally.ts'

export interface MetricsParts extends Pick<FeatureParts, 'database'> {
  /** Returns the figures of this process. */
  figures: () => Figures
  workers: Pick<Workers, 'figures'>
}

/**
 * Returns a function that returns the text of `/metrics`. The text covers all workers, because any of them
 * may receive the request.
 */
export function createMetrics({ database, figures, workers }: MetricsParts): () => Promise<string> {
  return async () => {
    const queueExposition = createExposition()
    const lengthsByQueue = Object.entries(await readQueueLengths(database))
    queueExposition.add(
      'gauge',
      'fundus_queue_length',
      'What waits to be done in the database, by any process.',
      lengthsByQueue.map(([queue, length]) => [{ queue }, length]),
    )
    return expositionText([...(await workers.figures(figures)), ...queueExposition.figures()])
  }
}

export interface FigureSources {
  tally: Tally
  jobs: readonly JobStatistics[]
  connections: ConnectionCounts
  faults: Pick<DiskFaults, 'counts'>
  version: string
  /** The name of the machine on which the process runs. */
  host: string
  startedAt: number
  now: number
}

export function collectFigures({
  tally,
  jobs,
  faults,
  connections,
  ...processSources
}: FigureSources): Figures {
  const exposition = createExposition()
  addProcessFigures(exposition, processSources)
  addConnectionFigures(exposition, connections)
  addRequestFigures(exposition, tally)
  addContentFigures(exposition, { files: tally.files, previews: tally.previews, sizes: tally.sizes })
  addJobFigures(exposition, jobs)
  exposition.add(
    'counter',
    'fundus_disk_faults_total',
    'Flushes and checkpoints that failed in the background.',
    [...faults.counts].map(([faultKind, count]): Sample => [{ what: faultKind }, count]),
  )
  return exposition.figures()
}

function addProcessFigures(
  exposition: Exposition,
  { version, host, startedAt, now }: Omit<FigureSources, 'tally' | 'jobs' | 'faults' | 'connections'>,
): void {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const buildLabels = { version, bun: Bun.version }
  exposition.add('gauge', 'fundus_build_info', 'Version of the service and of its runtime.', [
    [buildLabels, 1],
  ])
  const instanceLabels = { host, pid: String(process.pid) }
  exposition.add('gauge', 'fundus_instance_info', 'The processes that answer on this machine.', [
    [instanceLabels, 1],
  ])
  exposition.add('gauge', 'fundus_uptime_seconds', 'Seconds since the start.', [
    [{}, (now - startedAt) / 1000],
  ])
  exposition.add('gauge', 'process_start_time_seconds', 'When the service began, Unix time.', [
    [{}, startedAt / 1000],
  ])
  const summed = { adds: true }
  exposition.add(
    'gauge',
    'process_resident_memory_bytes',
    'Memory held, without the decoders.',
    [[{}, rss]],
    summed,
  )
  exposition.add('gauge', 'fundus_heap_used_bytes', 'Of it in use by the runtime.', [[{}, heapUsed]], summed)
  exposition.add('counter', 'process_cpu_seconds_total', 'Processor time, without the decoders.', [
    [{}, (user + system) / 1e6],
  ])
}

function addConnectionFigures(
  exposition: Exposition,
  { open: openCount, limit, refused: refusedCount, closedIdle: closedIdleCount }: ConnectionCounts,
): void {
  const summed = { adds: true }
  exposition.add('gauge', 'fundus_connections', 'Connections that are open.', [[{}, openCount]], summed)
  exposition.add('gauge', 'fundus_connections_limit', 'Connections that may be open.', [[{}, limit]], summed)
  exposition.add(
    'counter',
    'fundus_connections_crowded_total',
    'Connections over the limit, by what gave way.',
    [
      [{ outcome: 'refused' }, refusedCount],
      [{ outcome: 'idle_closed' }, closedIdleCount],
    ],
  )
}

function addRequestFigures(exposition: Exposition, { scopes }: Tally): void {
  const scopeTallies = [...scopes]
  exposition.add(
    'counter',
    'fundus_requests_total',
    'Answered requests, without stored content.',
    scopeTallies.flatMap(([scope, { statuses }]) =>
      [...statuses].map(([statusClass, count]): Sample => [{ scope, status: `${statusClass}xx` }, count]),
    ),
  )
  exposition.addHistogram(
    'fundus_request_duration_seconds',
    'Until the answer began, without stored content.',
    scopeTallies.map(([scope, { durations }]) => [{ scope }, durations] as const),
  )
  exposition.add(
    'counter',
    'fundus_received_bytes_total',
    'Announced lengths of request bodies.',
    scopeTallies.map(([scope, { receivedBytes }]) => [{ scope }, receivedBytes]),
  )
}

const CONTENT_OUTCOMES = {
  memory: 'memory',
  memory_not_modified: 'memoryNotModified',
  whole: 'whole',
  part: 'part',
  not_modified: 'notModified',
  head: 'head',
  refused: 'refused',
  failed: 'failed',
} as const satisfies Record<string, keyof ContentTally>

function addContentFigures(
  exposition: Exposition,
  talliesByRoute: Record<'files' | 'previews' | 'sizes', ContentTally>,
): void {
  const routeTallies = Object.entries(talliesByRoute)
  exposition.add(
    'counter',
    'fundus_content_answers_total',
    'Answers to requests for stored files, previews and sizes of pictures.',
    routeTallies.flatMap(([route, tally]) =>
      Object.entries(CONTENT_OUTCOMES).map(([outcome, key]): Sample => [{ route, outcome }, tally[key]]),
    ),
  )
  exposition.add(
    'counter',
    'fundus_content_bytes_total',
    'Bytes of stored content in those answers.',
    routeTallies.map(([route, { bytes }]) => [{ route }, bytes]),
  )
  exposition.addHistogram(
    'fundus_content_duration_seconds',
    'Until the answer began, where it did not lie ready in memory.',
    routeTallies.map(([route, { durations }]) => [{ route }, durations] as const),
  )
}

function addJobFigures(exposition: Exposition, outcomes: readonly JobStatistics[]): void {
  const samplesOf = (figureOf: (outcome: JobStatistics) => number | null) =>
    outcomes.flatMap((outcome): Sample[] => {
      const figure = figureOf(outcome)
      return figure === null ? [] : [[{ job: outcome.name }, figure]]
    })
  exposition.add(
    'counter',
    'fundus_job_runs_total',
    'Runs of jobs on this machine; skipped: another process was at it.',
    outcomes.flatMap(({ name: job, succeeded, failed, skipped }): Sample[] => [
      [{ job, outcome: 'succeeded' }, succeeded],
      [{ job, outcome: 'failed' }, failed],
      [{ job, outcome: 'skipped' }, skipped],
    ]),
  )
  exposition.add(
    'gauge',
    'fundus_job_last_duration_seconds',
    'How long the last run took.',
    samplesOf(({ lastRun }) => lastRun && lastRun.milliseconds / 1000),
  )
  exposition.add(
    'gauge',
    'fundus_job_last_success_timestamp_seconds',
    'When it last succeeded on this machine, Unix time.',
    samplesOf(({ lastSuccessAt }) => lastSuccessAt && lastSuccessAt / 1000),
  )
}
