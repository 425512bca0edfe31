/** The selection, and the file that the keyboard acts on. */
import { useCallback, useState } from 'react'
import type { FileAnswer } from '../types.ts'
import type { Meant, WholeResult } from './meant.ts'
import { allOf, NOTHING, refreshed, type Selection, without } from './selection.ts'

export interface SelectionState {
  selection: Selection
  chosen: readonly FileAnswer[]
  /** What actions are about: the chosen files, or the whole result. */
  meant: Meant
  isSelected(id: string): boolean
  /** Something is chosen. */
  isChoosing: boolean
  change(edit: (now: Selection) => Selection): void
  /** All files of the page are chosen, and the result has more. */
  mayChooseWhole: boolean
  /** Chooses the whole result of the list; any further change goes back to the files of the page. */
  chooseWhole(): void
  clear(): void
  forget(paths: readonly string[]): void
  /** The id of the file that keys act on; the Tab key reaches its card. */
  cursor: string | null
  setCursor(id: string | null): void
}

export interface SelectionParts {
  files: readonly FileAnswer[]
  /** Names folder, search and filters: another place empties the selection, another page does not. */
  place: string
  /** What the list shows on all its pages. */
  result: WholeResult
}

export function useSelection({ files, place, result }: SelectionParts): SelectionState {
  const [state, setState] = useState({ selection: NOTHING, isWhole: false, place, files })
  const [cursor, setCursor] = useState<string | null>(null)

  let { selection, isWhole } = state
  if (state.place !== place || state.files !== files) {
    const isHere = state.place === place
    selection = isHere ? refreshed(selection, files) : NOTHING
    isWhole &&= isHere && result.total > 0
    setState({ selection, isWhole, place, files })
  }
  const change = useCallback((edit: (now: Selection) => Selection) => {
    setState(now => ({
      ...now,
      isWhole: false,
      selection: edit(now.isWhole ? allOf(now.files) : now.selection),
    }))
  }, [])
  const chooseWhole = useCallback(() => setState(now => ({ ...now, isWhole: true })), [])
  const clear = useCallback(() => change(now => (now.chosen.size === 0 ? now : NOTHING)), [change])
  const forget = useCallback(
    (paths: readonly string[]) => change(now => without(now, new Set(paths))),
    [change],
  )
  const chosen = [...selection.chosen.values()]
  return {
    selection,
    chosen,
    meant: isWhole ? result : chosen,
    isSelected: id => isWhole || selection.chosen.has(id),
    isChoosing: isWhole || chosen.length > 0,
    mayChooseWhole:
      !isWhole && chosen.length < result.total && files.every(({ id }) => selection.chosen.has(id)),
    ...{ change, chooseWhole, clear, forget, cursor, setCursor },
  }
}
