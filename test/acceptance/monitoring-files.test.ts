/**
 * The alerts and the dashboard in deploy/ and the table of the documentation name only metrics that
 * `/metrics` has.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { atInstance } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

setDefaultTimeout(180_000)
const on = sharedService({})

const REPOSITORY = join(import.meta.dir, '../..')
const METRIC = /\b(?:fundus|process)_[a-z_]+[a-z]\b/g

async function metricsOfService(): Promise<ReadonlySet<string>> {
  const text = await (await fetch(`${atInstance(on.service, 0).url}/metrics`)).text()
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
}

/** The names of metrics in a text. A bucket belongs to its histogram. */
const metricsIn = (text: string) =>
  new Set([...text.matchAll(METRIC)].map(([name]) => name.replace(/_bucket$/, '')))

test.each([
  'deploy/prometheus-alerts.yaml',
  'deploy/grafana-dashboard.json',
  'docs/operations/monitoring.md',
])('%s', async file => {
  const existing = await metricsOfService()
  const named = metricsIn(await Bun.file(join(REPOSITORY, file)).text())
  expect(named.size).toBeGreaterThan(5)
  expect([...named].filter(name => !existing.has(name))).toEqual([])
})

test('the documentation lists every metric', async () => {
  const listed = metricsIn(await Bun.file(join(REPOSITORY, 'docs/operations/monitoring.md')).text())
  expect([...(await metricsOfService())].filter(name => !listed.has(name))).toEqual([])
})

test('a metric that does not exist is found', async () => {
  const existing = await metricsOfService()
  const named = metricsIn('rate(fundus_gone_total[5m]) + fundus_request_duration_seconds_bucket')
  expect([...named].filter(name => !existing.has(name))).toEqual(['fundus_gone_total'])
})
