/** Figures in Prometheus' text format, version 0.0.4. */
import type { Histogram } from './histogram.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Labels = Readonly<Record<string, string>>
export type Sample = readonly [labels: Labels, value: number]

export interface Exposition {
  add(kind: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): void
  addHistogram(name: string, help: string, series: readonly (readonly [Labels, Histogram])[]): void
  text(): string
}

export function createExposition(): Exposition {
  const lines: string[] = []

  function head(kind: string, name: string, help: string): void {
    lines.push(
      `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
      `# TYPE ${name} ${kind}`,
    )
  }

  const line = (name: string, labels: Labels, value: number) =>
    void lines.push(`${name}${inBraces(labels)} ${value}`)

  return {
    add(kind, name, help, samples) {
      head(kind, name, help)
      for (const [labels, value] of samples) line(name, labels, value)
    },
    addHistogram(name, help, series) {
      head('histogram', name, help)
      for (const [labels, histogram] of series) {
        const { upTo, count, sum } = histogram.read()
        for (const each of upTo) line(`${name}_bucket`, { ...labels, le: String(each.bound) }, each.count)
        line(`${name}_bucket`, { ...labels, le: '+Inf' }, count)
        line(`${name}_sum`, labels, sum)
        line(`${name}_count`, labels, count)
      }
    },
    text: () => `${lines.join('\n')}\n`,
  }
}

function inBraces(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
