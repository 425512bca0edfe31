/** Saving settings: the answer holds all of them anew, so what is shown is right at once. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { put } from '../../api/client.ts'
import type { SettingsAnswer, SettingsInput } from '../../api/routes.ts'
import { keyOf } from '../../api/use-get.ts'

/** What else a setting shows in: warnings of the targets, addresses of files, the entry in the history. */
const SHOWS_SETTINGS: ReadonlySet<unknown> = new Set([
  'sicherung',
  'verwaltung',
  'media',
  'uebersicht',
  'status',
])

export function useSave() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsInput) => put('einstellungen', { body }),
    onSuccess(answer) {
      queries.setQueryData<SettingsAnswer>(keyOf('einstellungen'), answer)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => SHOWS_SETTINGS.has(queryKey[0]) })
    },
  })
}
