/** Metrics of one process, and those of several processes as one. */

export interface Family {
  kind: 'counter' | 'gauge' | 'histogram'
  name: string
  help: string
  /** Whether values of several processes are added. Of other gauges (a time) the greatest is used. */
  adds: boolean
  /** Values by name with labels. */
  samples: (readonly [series: string, value: number])[]
}

export type Figures = readonly Family[]

/**
 * The figures of several processes as one: values are added, or the greatest is used if `adds` is false.
 * Families are in the order of first appearance.
 */
export function mergeFigures(all: readonly Figures[]): Figures {
  const families = new Map<string, { family: Family; values: Map<string, number> }>()
  for (const family of all.flat()) {
    const known = families.get(family.name) ?? { family, values: new Map<string, number>() }
    families.set(family.name, known)
    const joined = family.adds ? (one: number, other: number) => one + other : Math.max
    for (const [series, value] of family.samples) {
      const before = known.values.get(series)
      known.values.set(series, before === undefined ? value : joined(before, value))
    }
  }
  return [...families.values()].map(({ family, values }) => ({ ...family, samples: [...values] }))
}

/**
 * The figures that are kept after their process has ended: all but gauges. Monitoring takes a falling counter
 * for a new one.
 */
export const lastingFigures = (figures: Figures): Figures => figures.filter(({ kind }) => kind !== 'gauge')
