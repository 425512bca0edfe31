/** A thin line at the top while the service cannot be reached; the line disappears by itself. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { connectionLost, isReachable } from '../api/connection.ts'
import { useRefresh } from '../api/use-refresh.ts'
import { useWords } from '../language/language.tsx'
import { useObservable } from '../state/observable.ts'
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
      // Requests that failed meanwhile are made again. One that is still on its way may wait for a connection that is gone.
      if (wasLost.current) void queries.cancelQueries().then(() => refresh())
      wasLost.current = false
      return
    }
    wasLost.current = true
    // The stream of events tries to reconnect too, but the login page has no such stream.
    let timer: ReturnType<typeof setTimeout> | null = setTimeout(knock, KNOCK_EVERY)
    async function knock() {
      if (!(await isReachable()) && timer) timer = setTimeout(knock, KNOCK_EVERY)
    }
    return () => {
      if (timer) clearTimeout(timer)
      timer = null
    }
  }, [lost, queries, refresh])
  return <div role="status">{lost && <div className={classes.lost}>{w.connectionLost}</div>}</div>
}
