import { useEffect, useState } from 'react'
import { addSample, type Pace, paceOf, type Sample } from './pace.ts'

/** `done` is null while nothing runs. */
export function usePace(done: number | null, total: number | null): Pace {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    if (done === null) setSamples([])
    else setSamples(before => addSample(before, { at: Date.now(), done }))
  }, [done])
  return paceOf(samples, total)
}
