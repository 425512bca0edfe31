/** The selection, and the file that the keyboard acts on. */
import { useCallback, useState } from 'react'
import type { FileAnswer } from '../types.ts'
import { NOTHING, refreshed, type Selection, without } from './selection.ts'

export interface SelectionState {
  selection: Selection
  chosen: readonly FileAnswer[]
  change(edit: (now: Selection) => Selection): void
  clear(): void
  forget(paths: readonly string[]): void
  /** The id of the file that keys act on; the Tab key reaches its card. */
  cursor: string | null
  setCursor(id: string | null): void
}

/** `place` names folder, search and filters: another place empties the selection, another page does not. */
export function useSelection(files: readonly FileAnswer[], place: string): SelectionState {
  const [state, setState] = useState({ selection: NOTHING, place, files })
  const [cursor, setCursor] = useState<string | null>(null)

  let { selection } = state
  if (state.place !== place || state.files !== files) {
    selection = state.place === place ? refreshed(selection, files) : NOTHING
    setState({ selection, place, files })
  }
  const change = useCallback((edit: (now: Selection) => Selection) => {
    setState(now => ({ ...now, selection: edit(now.selection) }))
  }, [])
  const clear = useCallback(() => change(now => (now.chosen.size === 0 ? now : NOTHING)), [change])
  const forget = useCallback(
    (paths: readonly string[]) => change(now => without(now, new Set(paths))),
    [change],
  )
  return { selection, chosen: [...selection.chosen.values()], change, clear, forget, cursor, setCursor }
}
