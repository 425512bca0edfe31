/** A thin line at the top while the service cannot be reached; the line disappears by itself. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useRefresh } from '../api/use-refresh.ts'
import { useObservable } from '../hooks/observable.ts'
import { useWords } from '../language/language.tsx'
import { connectionLost } from '../live/connection.ts'
import classes from './frame.module.css'
import { words } from './words.ts'

const KNOCK_EVERY = 3000

export function ConnectionLine() {
  const w = useWords(words)
  const lost = useObservable(connectionLost)
  const queries = useQueryClient()
  const refresh = useRefresh()
  const wasLost = useRef(false)
  useEffect(() => {
    if (!lost) {
      // Requests that failed meanwhile are made again.
      if (wasLost.current) void refresh()
      wasLost.current = false
      return
    }
    wasLost.current = true
    // The stream of events tries to reconnect too, but the login page has no such stream.
    const timer = setInterval(() => void queries.refetchQueries({ type: 'active', stale: true }), KNOCK_EVERY)
    return () => clearInterval(timer)
  }, [lost, queries, refresh])
  return <div role="status">{lost && <div className={classes.lost}>{w.connectionLost}</div>}</div>
}
