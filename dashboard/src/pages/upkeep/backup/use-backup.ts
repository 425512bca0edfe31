/**
 * The state of the backup, and a mutation that starts one. The state is updated by events. While a backup
 * runs, it is also polled, in case no events arrive.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../../../api/client.ts'
import { useEvents } from '../../../api/events.tsx'
import { queryKeyOf, useGet } from '../../../api/use-get.ts'
import { refreshQueries } from '../../../api/use-refresh.ts'

const BACKUP_QUERY_KEY = queryKeyOf('sicherung')
const POLL_INTERVAL_MS = 2_000

export function useBackup() {
  const queryClient = useQueryClient()
  const query = useGet('sicherung', { refetchInterval: state => (state?.laeuft ? POLL_INTERVAL_MS : false) })
  const startMutation = useMutation({
    mutationFn: () => post('sicherung'),
    onSuccess: state => queryClient.setQueryData(BACKUP_QUERY_KEY, state),
  })
  useEvents('fortschritt', ({ aufgabe, erledigt, gesamt, fertig }) => {
    // At the end of a backup, the queries that show it are refetched elsewhere (`api/events.tsx`).
    if (aufgabe !== 'sicherung' || fertig) return
    const { data } = query
    if (!data?.fortschritt) void refreshQueries(queryClient, { queryKey: BACKUP_QUERY_KEY })
    else
      queryClient.setQueryData(BACKUP_QUERY_KEY, {
        ...data,
        fortschritt: { ...data.fortschritt, erledigt, gesamt },
      })
  })
  return { ...query, startMutation }
}

export type BackupQuery = ReturnType<typeof useBackup>
