/** The last visited folder, to which `/start` leads (`public/fundus.webmanifest`). */
import { useEffect } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { filesAddress, shownFiles } from '../state/addresses.ts'
import { personalKey } from '../state/session.ts'

const NAME = 'letzter-ordner'
const START = '/start'

/** Remembers the folder of the files page whenever it changes. */
export function useLastFolder(): void {
  const folder = useLocationProperty(() => shownFiles()?.ordner ?? null)
  useEffect(() => {
    if (folder !== null) localStorage.setItem(personalKey(NAME), folder)
  }, [folder])
}

/** Call this before the first page is shown. */
export function leaveStart(): void {
  if (location.pathname !== START) return
  history.replaceState(null, '', filesAddress({ ordner: localStorage.getItem(personalKey(NAME)) ?? '' }))
}
