/**
 * The search for orphans: stored files without an entry in the database, and entries without a stored file.
 * The user starts the search, and its result is kept while another page is open.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrphansAnswer } from '../../../../src/contract/service/maintenance.ts'
import { post } from '../../api/client.ts'
import { useEvents } from '../../api/events.tsx'
import { queryKeyOf } from '../../api/use-get.ts'

const ORPHANS_ROUTE = 'maintenance/verwaiste'

export function useOrphans() {
  const queryClient = useQueryClient()
  const [examinedCount, setExaminedCount] = useState<number | null>(null)
  const searchQuery = useQuery<OrphansAnswer, Error>({
    queryKey: queryKeyOf(ORPHANS_ROUTE),
    queryFn: () => post(ORPHANS_ROUTE, { body: {} }),
    enabled: false,
    retry: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  useEvents('fortschritt', ({ aufgabe, erledigt, fertig }) => {
    if (aufgabe === 'verwaiste') setExaminedCount(fertig ? null : erledigt)
  })

  /**
   * Removes files without an entry, except recent ones, and searches again. Returns the number of removed
   * files.
   */
  async function cleanUp(): Promise<number> {
    const { entfernt } = await post(ORPHANS_ROUTE, { body: { aufraeumen: true } })
    // The answer lists the orphans from before the removal, so a second request fetches what is left.
    await queryClient.invalidateQueries({ queryKey: queryKeyOf(ORPHANS_ROUTE), refetchType: 'none' })
    await searchQuery.refetch()
    return entfernt
  }

  return { ...searchQuery, examinedCount, cleanUp }
}
