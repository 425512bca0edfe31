/** A thin line at the top while the service cannot be reached. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { isConnectionLost, isServiceReachable } from '../api/connection.ts'
import { useWords } from '../language/language.tsx'
import { useObservable } from '../state/observable.ts'
import classes from './frame.module.css'
import { words } from './words.ts'

const PROBE_INTERVAL_MS = 3000

/** `onRestored` is called when the service can be reached again, so that failed requests can be repeated. */
export function ConnectionLine({ onRestored }: { onRestored(): void }) {
  const w = useWords(words)
  const isLost = useObservable(isConnectionLost)
  const callOnRestored = useEffectEvent(onRestored)
  const wasLost = useRef(false)
  useEffect(() => {
    if (!isLost) {
      if (wasLost.current) callOnRestored()
      wasLost.current = false
      return
    }
    wasLost.current = true
    // Polls `/health`. The event stream would also notice that the service is back, but the login page has no
    // event stream.
    let timer: ReturnType<typeof setTimeout> | null = setTimeout(probe, PROBE_INTERVAL_MS)
    async function probe() {
      if (!(await isServiceReachable()) && timer) timer = setTimeout(probe, PROBE_INTERVAL_MS)
    }
    return () => {
      if (timer) clearTimeout(timer)
      timer = null
    }
  }, [isLost])
  return <div role="status">{isLost && <div className={classes.lost}>{w.connectionLost}</div>}</div>
}
