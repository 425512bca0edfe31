/** How fast something goes and how long it still takes, by what was seen in the last half minute. */

const WINDOW = 30_000
/** Two looks right after each other would say anything. */
const LEAST = 2_000

export interface Sample {
  at: number
  done: number
}

export interface Pace {
  /** Null while too little was seen. */
  perSecond: number | null
  /** Milliseconds. */
  remaining: number | null
}

export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last?.done === sample.done) return samples
  // It has begun anew.
  if (last && sample.done < last.done) return [sample]
  return [...samples.filter(({ at }) => at > sample.at - WINDOW), sample]
}

export function paceOf(samples: readonly Sample[], total: number | null): Pace {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < LEAST) return { perSecond: null, remaining: null }
  const perSecond = ((last.done - first.done) * 1000) / (last.at - first.at)
  const left = total === null ? null : Math.max(0, total - last.done)
  return { perSecond, remaining: left === null || left === 0 ? null : (left / perSecond) * 1000 }
}
