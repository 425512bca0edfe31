/**
 * Returns a mutation that saves settings. The answer contains all settings, so the page is up to date at
 * once.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { put } from '../../api/client.ts'
import type { SettingsAnswer, SettingsInput } from '../../api/routes.ts'
import { queryKeyOf } from '../../api/use-get.ts'
import { useRefresh } from '../../api/use-refresh.ts'

/**
 * The first parts of the keys of queries that are refetched after saving, because a setting may change the
 * answers to these queries.
 */
const QUERIES_WITH_SETTINGS = [
  'ich',
  'sicherung',
  'verwaltung',
  'media',
  'papierkorb',
  'uebersicht',
  'status',
]

export function useSaveSettings() {
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: SettingsInput) => put('einstellungen', { body }),
    onSuccess(answer) {
      queryClient.setQueryData<SettingsAnswer>(queryKeyOf('einstellungen'), answer)
      void refresh(...QUERIES_WITH_SETTINGS)
    },
  })
}
