/**
 * The folder in which somebody was last. An installed Fundus begins at `/start` (`public/fundus.webmanifest`), which leads
 * there.
 */
import { useEffect } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { personalKey } from '../session/session.ts'

const NAME = 'letzter-ordner'
const START = '/start'
const FILES = '/dateien'

/** Remembers the folder of the files page whenever it changes. */
export function useLastFolder(): void {
  const folder = useLocationProperty(openFolder)
  useEffect(() => {
    if (folder !== null) localStorage.setItem(personalKey(NAME), folder)
  }, [folder])
}

/** Null on other pages. */
const openFolder = () =>
  location.pathname === FILES ? (new URLSearchParams(location.search).get('ordner') ?? '') : null

/** Call this before the first page is shown. */
export function leaveStart(): void {
  if (location.pathname !== START) return
  const folder = localStorage.getItem(personalKey(NAME)) ?? ''
  history.replaceState(null, '', folder === '' ? FILES : `${FILES}?ordner=${encodeURIComponent(folder)}`)
}
