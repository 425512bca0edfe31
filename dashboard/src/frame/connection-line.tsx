/** A thin line at the top while the service cannot be reached. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { connectionLost, isReachable } from '../api/connection.ts'
import { useRefresh } from '../api/use-refresh.ts'
import { useWords } from '../language/language.tsx'
import { useObservable } from '../state/observable.ts'
import classes from './frame.module.css'
import { words } from './words.ts'

const PROBE_INTERVAL = 3000

export function ConnectionLine() {
  const w = useWords(words)
  const isLost = useObservable(connectionLost)
  const queries = useQueryClient()
  const refresh = useRefresh()
  const wasLost = useRef(false)
  useEffect(() => {
    if (!isLost) {
      // Requests that failed are repeated. Pending ones are cancelled, since they may be waiting on a dead
      // connection.
      if (wasLost.current) void queries.cancelQueries().then(() => refresh())
      wasLost.current = false
      return
    }
    wasLost.current = true
    // Polls `/health`. The event stream would also notice the return of the service, but the login page has
    // none.
    let timer: ReturnType<typeof setTimeout> | null = setTimeout(probe, PROBE_INTERVAL)
    async function probe() {
      if (!(await isReachable()) && timer) timer = setTimeout(probe, PROBE_INTERVAL)
    }
    return () => {
      if (timer) clearTimeout(timer)
      timer = null
    }
  }, [isLost, queries, refresh])
  return <div role="status">{isLost && <div className={classes.lost}>{w.connectionLost}</div>}</div>
}
