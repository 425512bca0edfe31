/** The figures (metrics) of one process, and how those of several processes are merged. */

export interface MetricFamily {
  kind: 'counter' | 'gauge' | 'histogram'
  name: string
  help: string
  /**
   * Whether the values of several processes are summed. Otherwise the greatest value is used, for example for
   * a start time.
   */
  isSummed: boolean
  /** `series` is the metric name with its labels. */
  samples: (readonly [series: string, value: number])[]
}

export type Figures = readonly MetricFamily[]

/**
 * Merges the figures of several processes: values are summed, or the greatest is used if `isSummed` is false.
 * Families are in the order of their first appearance.
 */
export function mergeFigures(figuresByProcess: readonly Figures[]): Figures {
  const families = new Map<string, { family: MetricFamily; values: Map<string, number> }>()
  for (const family of figuresByProcess.flat()) {
    const mergedFamily = families.get(family.name) ?? { family, values: new Map<string, number>() }
    families.set(family.name, mergedFamily)
    const combine = family.isSummed ? (a: number, b: number) => a + b : Math.max
    for (const [series, value] of family.samples) {
      const previousValue = mergedFamily.values.get(series)
      mergedFamily.values.set(series, previousValue === undefined ? value : combine(previousValue, value))
    }
  }
  return [...families.values()].map(({ family, values }) => ({ ...family, samples: [...values] }))
}

/**
 * The figures that are still reported after their process has ended: all but gauges. If counters were
 * dropped, the sums would fall, and monitoring would take that for a counter reset.
 */
export const cumulativeFigures = (figures: Figures): Figures => figures.filter(({ kind }) => kind !== 'gauge')
