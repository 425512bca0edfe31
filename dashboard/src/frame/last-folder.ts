/**
 * The folder in which somebody was last. An installed Fundus begins at `/start` (`public/fundus.webmanifest`), which leads
 * there.
 */
import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'

const KEY = 'fundus-letzter-ordner'
const START = '/start'
const FILES = '/dateien'

/** Remembers the folder of the files page whenever it changes. */
export function useLastFolder(): void {
  const [location] = useLocation()
  const folder = new URLSearchParams(useSearch()).get('ordner') ?? ''
  useEffect(() => {
    if (location === FILES) localStorage.setItem(KEY, folder)
  }, [location, folder])
}

/** Call this before the first page is shown. */
export function leaveStart(): void {
  if (location.pathname !== START) return
  const folder = localStorage.getItem(KEY) ?? ''
  history.replaceState(null, '', folder === '' ? FILES : `${FILES}?ordner=${encodeURIComponent(folder)}`)
}
