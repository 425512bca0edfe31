/** Asking again for what is shown: `refresh('tokens')`, `refresh(...SHOWS_FILES)`, or without names for everything. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { refreshQueries } from './refresh.ts'

/** The queries that show or count files, by the first part of their key. */
export const SHOWS_FILES = ['media', 'folders', 'papierkorb', 'verlauf', 'uebersicht', 'tokens']

/** What is asked for before it is shown, by the first part of its key. */
const PAGED = 'media'

export function useRefresh(): (...names: readonly string[]) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    (...names) => {
      // Pages that are not shown are forgotten: turned to, they would show for a moment what is gone.
      if (names.length === 0 || names.includes(PAGED))
        queries.removeQueries({ queryKey: [PAGED], type: 'inactive' })
      return refreshQueries(
        queries,
        names.length > 0 ? { predicate: ({ queryKey }) => names.includes(String(queryKey[0])) } : {},
      )
    },
    [queries],
  )
}
