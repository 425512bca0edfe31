/** Search and replace: a dry run for the preview while the user is typing, and the execution. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { post, postAction } from '../../api/client.ts'
import type { PostRoutes } from '../../api/routes.ts'
import { undoAction } from '../../api/undo.ts'
import { queryKeyOf } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts } from '../../language/language.tsx'
import { type UndoChange, useNotify } from '../../ui/notify.tsx'
import { createPreview } from './preview.ts'
import { words } from './words.ts'

/** Milliseconds after the last change of the fields until the dry run is requested. */
const TYPING_PAUSE_MS = 250

export interface ReplaceTask {
  suche: string
  ersatz: string
  regex: boolean
  /**
   * The folder to search; empty for all folders. If `pfade` or `treffer` is given, it is empty and only those
   * files are searched.
   */
  ordner: string
  pfade?: string[]
  treffer?: PostRoutes['media/ersetzen']['body']['treffer']
}

export function useReplace(task: ReplaceTask) {
  const refresh = useRefresh()
  const notify = useNotify()
  const { w, format } = useTexts(words)
  const key = JSON.stringify(task)
  const [previewedKey] = useDebouncedValue(key, TYPING_PAUSE_MS)
  const previewedTask = useMemo(() => JSON.parse(previewedKey) as ReplaceTask, [previewedKey])
  const isEnabled = previewedTask.suche !== ''
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    // The key begins with `media`, like that of the file list, so that a change of files refetches this query
    // too.
    queryKey: queryKeyOf('media/ersetzen', previewedTask),
    queryFn: ({ signal }) => post('media/ersetzen', { body: previewedTask, signal }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    // An answer may have tens of thousands of rows, so the cache drops it as soon as it is no longer shown.
    gcTime: 0,
  })
  const execution = useMutation({
    mutationFn: () => postAction('media/ersetzen', { body: { ...task, ausfuehren: true } }),
    // The lists are refetched after a refusal too, because files may have changed since the dry run.
    onSettled: () => refresh('media', 'folders'),
    onSuccess({ answer: { treffer }, action }) {
      const fileCount = treffer.length
      const undo: UndoChange = async report => {
        await undoAction(action, report)
        await refresh(...FILE_QUERIES)
      }
      notify.offerUndo(w.done(fileCount, format.number(fileCount)), undo, fileCount)
    },
  })
  const preview = useMemo(() => (data && isEnabled ? createPreview(data) : null), [data, isEnabled])
  return {
    preview: error ? null : preview,
    error,
    execution,
    /** Whether executing the current task may have another result than the preview shows. */
    isOutdated: previewedKey !== key || isPlaceholderData || isFetching,
  }
}
