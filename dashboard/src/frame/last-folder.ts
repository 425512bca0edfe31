/**
 * Stores the folder that was open last. The installed app starts at `/start` (`public/fundus.webmanifest`),
 * which leads to that folder.
 */
import { useEffect } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { currentFilesSearch, filesAddress } from '../state/addresses.ts'
import { personalKey } from '../state/session.ts'

const STORAGE_NAME = 'letzter-ordner'
const START_PATH = '/start'

/** Stores the folder of the files page whenever it changes. */
export function useStoreLastFolder(): void {
  const folder = useLocationProperty(() => currentFilesSearch()?.ordner ?? null)
  useEffect(() => {
    if (folder !== null) localStorage.setItem(personalKey(STORAGE_NAME), folder)
  }, [folder])
}

/**
 * If the dashboard was opened at `/start`, changes the address to that of the last folder, or of the top
 * folder if none is stored. Called before the first page is shown.
 */
export function redirectStartToLastFolder(): void {
  if (location.pathname !== START_PATH) return
  history.replaceState(
    null,
    '',
    filesAddress({ ordner: localStorage.getItem(personalKey(STORAGE_NAME)) ?? '' }),
  )
}
