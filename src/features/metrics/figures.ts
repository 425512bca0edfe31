/** Metrics of one process, and those of several processes as one. */

export interface MetricFamily {
  kind: 'counter' | 'gauge' | 'histogram'
  name: string
  help: string
  /**
   * Whether the values of several processes are added up. If not, as for a point in time, the greatest value
   * is used.
   */
  adds: boolean
  /** Values by name with labels. */
  samples: (readonly [series: string, value: number])[]
}

export type Figures = readonly MetricFamily[]

/**
 * The figures of several processes as one: values are added, or the greatest is used if `adds` is false.
 * Families are in the order of first appearance.
 */
export function mergeFigures(figuresByProcess: readonly Figures[]): Figures {
  const families = new Map<string, { family: MetricFamily; values: Map<string, number> }>()
  for (const family of figuresByProcess.flat()) {
    const merged = families.get(family.name) ?? { family, values: new Map<string, number>() }
    families.set(family.name, merged)
    const combine = family.adds ? (one: number, other: number) => one + other : Math.max
    for (const [series, value] of family.samples) {
      const previous = merged.values.get(series)
      merged.values.set(series, previous === undefined ? value : combine(previous, value))
    }
  }
  return [...families.values()].map(({ family, values }) => ({ ...family, samples: [...values] }))
}

/**
 * The figures that are still reported after their process has ended: all but gauges. If they were dropped,
 * the sums would fall, and monitoring would take the counters for new ones.
 */
export const cumulativeFigures = (figures: Figures): Figures => figures.filter(({ kind }) => kind !== 'gauge')
