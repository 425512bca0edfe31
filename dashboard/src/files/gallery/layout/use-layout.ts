/**
 * The layout of the shown files for the available width. When it changes, one of the files in view keeps its
 * position in the window.
 */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useFormat, useWords } from '../../../language/language.tsx'
import { useFilesPage } from '../../files-context.ts'
import { useFilesAddress } from '../../listing/search.ts'
import type { FileAnswer } from '../../types.ts'
import { words } from '../../words.ts'
import { dateGroups } from './date-groups.ts'
import { computeLayout, type Layout } from './layout.ts'
import { contentWidthOf, useScrollAnchor } from './use-anchor.ts'

export function useLayout(gallery: RefObject<HTMLElement | null>, files: readonly FileAnswer[]): Layout {
  const { viewOptions } = useFilesPage()
  const { search } = useFilesAddress()
  const w = useWords(words)
  const format = useFormat()
  const width = useListWidth(gallery)
  const groups = useMemo(
    () => dateGroups(files, search.sortierung, { ...w, month: format.month }, Date.now()),
    [files, search.sortierung, w, format],
  )
  const layout = useMemo(() => computeLayout(groups, width, viewOptions), [groups, width, viewOptions])
  useScrollAnchor({ gallery, files, layout, width, openedPath: search.datei })
  return layout
}

/**
 * The width of the list in pixels. It is measured after every rendering: when the panel with the details of a
 * file opens and makes the list narrower, the files move in the same frame.
 */
function useListWidth(gallery: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => setWidth(contentWidthOf(gallery.current)))
  useEffect(() => {
    const element = gallery.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(contentWidthOf(element)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [gallery])
  return width
}
