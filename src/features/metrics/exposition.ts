/** Writes figures in the text format of Prometheus, version 0.0.4. */
import type { Figures, MetricFamily } from './figures.ts'
import type { Histogram } from './histogram.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string>>
export type Sample = readonly [labels: Labels, value: number]

export type Exposition = ReturnType<typeof createExposition>

export function createExposition() {
  const families: MetricFamily[] = []
  const toSample = (name: string, labels: Labels, value: number) =>
    [name + formatLabels(labels), value] as const

  return {
    /**
     * Adds a family of metrics. `isSummed`: whether the values of several processes are summed (see
     * `MetricFamily`); by default only for counters.
     */
    add(
      kind: 'counter' | 'gauge',
      name: string,
      help: string,
      labelledValues: readonly Sample[],
      { adds: isSummed } = { adds: kind === 'counter' },
    ) {
      const samples = labelledValues.map(([labels, value]) => toSample(name, labels, value))
      families.push({ kind, name, help, isSummed, samples })
    },
    addHistogram(name: string, help: string, series: readonly (readonly [Labels, Histogram])[]) {
      const samples = series.flatMap(([labels, histogram]) => {
        const { buckets, count, sum } = histogram.read()
        return [
          ...buckets.map(bucket =>
            toSample(`${name}_bucket`, { ...labels, le: String(bucket.bound) }, bucket.count),
          ),
          toSample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
          toSample(`${name}_sum`, labels, sum),
          toSample(`${name}_count`, labels, count),
        ]
      })
      families.push({ kind: 'histogram', name, help, isSummed: true, samples })
    },
    figures: (): Figures => families,
  }
}

export function expositionText(figures: Figures): string {
  const lines = figures.flatMap(({ kind, name, help, samples }) => [
    `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
    `# TYPE ${name} ${kind}`,
    ...samples.map(([series, value]) => `${series} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
