/** Runs search and replace: a dry run for the preview while typing, and the execution. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { post, postAction } from '../../api/client.ts'
import type { PostRoutes } from '../../api/routes.ts'
import { undoAction } from '../../api/undo.ts'
import { queryKeyOf } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts } from '../../language/language.tsx'
import { type TakeBack, useNotify } from '../../ui/notify.tsx'
import { previewOf } from './preview.ts'
import { words } from './words.ts'

/** Milliseconds after the last keystroke until the dry run is requested. */
const PAUSE = 250

export interface ReplaceTask {
  suche: string
  ersatz: string
  regex: boolean
  /** The folder; empty: all folders. */
  ordner: string
  pfade?: string[]
  treffer?: PostRoutes['media/ersetzen']['body']['treffer']
}

export function useReplace(task: ReplaceTask) {
  const refresh = useRefresh()
  const notify = useNotify()
  const { w, format } = useTexts(words)
  const key = JSON.stringify(task)
  const [shownKey] = useDebouncedValue(key, PAUSE)
  const shown = useMemo(() => JSON.parse(shownKey) as ReplaceTask, [shownKey])
  const enabled = shown.suche !== ''
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    // The key begins like that of the list, so that this query too is refetched when files change.
    queryKey: queryKeyOf('media/ersetzen', shown),
    queryFn: ({ signal }) => post('media/ersetzen', { body: shown, signal }),
    placeholderData: keepPreviousData,
    enabled,
    // Not cached once another text is typed, because an answer may have tens of thousands of lines.
    gcTime: 0,
  })
  const execution = useMutation({
    mutationFn: () => postAction('media/ersetzen', { body: { ...task, ausfuehren: true } }),
    // The lists are refetched after a refusal too: the files have changed since the dry run.
    onSettled: () => refresh('media', 'folders'),
    onSuccess({ answer: { treffer }, action }) {
      const files = treffer.length
      const back: TakeBack = async report => {
        await undoAction(action, report)
        await refresh(...FILE_QUERIES)
      }
      notify.undo(w.done(files, format.number(files)), back, files)
    },
  })
  const preview = useMemo(() => (data && enabled ? previewOf(data) : null), [data, enabled])
  return {
    preview: error ? null : preview,
    error,
    execution,
    /** Whether the preview may differ from what executing now would do. */
    outdated: shownKey !== key || isPlaceholderData || isFetching,
  }
}
