/**
 * Restores entries of the trash or removes them for good. If an entry cannot be restored, the reason is shown
 * beside it until the next attempt.
 */
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { post } from '../../api/client.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts } from '../../language/language.tsx'
import { useServiceText } from '../../language/service-text.ts'
import { useErrorText } from '../../ui/error-notice.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { words } from './words.ts'

export interface TrashActionsOptions {
  /** The entries on the shown page. */
  shownEntries: readonly { nr: number }[]
  onDone(): void
}

export interface Refusal {
  sentence: string
  /** Whether the reason is that another file is at the path of the entry. */
  isPathTaken: boolean
}

export type TrashActions = ReturnType<typeof useTrashActions>

export function useTrashActions({ shownEntries, onDone }: TrashActionsOptions) {
  const { w, format } = useTexts(words)
  const fileCountText = (count: number) => w.filesCounted(count, format.number(count))
  const notify = useNotify()
  const errorTextOf = useErrorText()
  const translate = useServiceText()
  const refresh = useRefresh()
  const [refusalsByNumber, setRefusals] = useState<ReadonlyMap<number, Refusal>>(new Map())

  const restoreMutation = useMutation({
    mutationFn: (body: { nummern: number[]; ersetzen?: boolean }) =>
      post('papierkorb/wiederherstellen', { body }),
    onSuccess({ wiederhergestellt, abgelehnt }) {
      const refusals = abgelehnt.map(({ nr, grund, code }) => {
        const refusal = { sentence: translate(grund, code), isPathTaken: code === 'path-taken' }
        return [nr, refusal] as const
      })
      setRefusals(new Map(refusals))
      const restoredCount = wiederhergestellt.length
      if (restoredCount > 0) notify.showSuccess(w.restored(fileCountText(restoredCount)))
      const [firstRefused] = abgelehnt
      if (firstRefused && shownEntries.every(({ nr }) => nr !== firstRefused.nr)) {
        // The first refused entry is on another page, so a notice reports the refusals.
        const refusedCount = abgelehnt.length
        if (refusedCount === 1) notify.showRefusal(firstRefused.grund, { code: firstRefused.code })
        else notify.showRefusal(w.someRefused(fileCountText(refusedCount)))
      }
      onDone()
      return refresh(...FILE_QUERIES)
    },
    onError(error, { nummern }) {
      if (nummern.length !== 1) return
      setRefusals(new Map(nummern.map(nr => [nr, { sentence: errorTextOf(error), isPathTaken: false }])))
    },
  })

  /**
   * Removes the entries with these numbers for good; all entries if `nummern` is omitted. The promise rejects
   * if the service refuses; the dialog shows why.
   */
  async function remove(nummern?: number[]): Promise<void> {
    const { entfernt, bytes } = await post('papierkorb/leeren', { body: nummern ? { nummern } : {} })
    notify.showSuccess(w.removed(fileCountText(entfernt), format.bytes(bytes)))
    onDone()
    await refresh(...FILE_QUERIES)
  }

  const { mutate, isPending, error, variables } = restoreMutation
  const restore = useCallback((nummern: number[]) => mutate({ nummern }), [mutate])
  /** Restores the entry with this number. If a file is at its path now, that file is moved to the trash. */
  const restoreReplacing = useCallback((nr: number) => mutate({ nummern: [nr], ersetzen: true }), [mutate])
  return {
    restore,
    exchange: restoreReplacing,
    remove,
    refusalsByNumber,
    isRestoring: isPending,
    /** The error of restoring several entries; that of a single entry is shown beside the entry. */
    restoreError: variables && variables.nummern.length > 1 ? error : null,
  }
}
