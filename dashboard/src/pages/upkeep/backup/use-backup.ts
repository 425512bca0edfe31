/** The state of the backup, followed by events; polling is a fallback. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import { useEvents } from '../../../api/events.tsx'
import { keyOf, useGet } from '../../../api/use-get.ts'
import { refreshQueries } from '../../../api/use-refresh.ts'

const KEY = keyOf('sicherung')
const POLL = 2_000

export function useBackup() {
  const queries = useQueryClient()
  const query = useGet('sicherung', { refetchInterval: state => (state?.laeuft ? POLL : false) })
  const start = useMutation({
    mutationFn: () => post('sicherung'),
    onSuccess: state => queries.setQueryData(KEY, state),
  })
  useEvents('fortschritt', ({ aufgabe, erledigt, gesamt, fertig }) => {
    // The end of the task refetches every backup query.
    if (aufgabe !== 'sicherung' || fertig) return
    const { data } = query
    if (!data?.fortschritt) void refreshQueries(queries, { queryKey: KEY })
    else queries.setQueryData(KEY, { ...data, fortschritt: { ...data.fortschritt, erledigt, gesamt } })
  })
  return { ...query, start }
}

export type BackupQuery = ReturnType<typeof useBackup>
