/** The state of the folder tree that the browser stores: the open folders, and the width of the tree. */
import { useCallback, useMemo } from 'react'
import { personalKey } from '../../state/session.ts'
import { useStored } from '../../state/use-stored.ts'

/** The limits and the initial value of the width of the tree, in pixels. */
export const TREE_WIDTH = { min: 160, max: 480, initial: 216 } as const
/** Maximum number of open folders that are stored. */
const MAX_STORED_FOLDERS = 500

const NOTHING_OPEN: readonly string[] = []

export function useOpenFolders() {
  const [stored, store] = useStored<readonly string[]>(personalKey('baum-offen'), NOTHING_OPEN)
  const openFolders: ReadonlySet<string> = useMemo(() => new Set(stored), [stored])
  const changeOpen = useCallback(
    (edit: (openFolders: Set<string>) => void) =>
      store(now => {
        const nextOpen = new Set(now)
        edit(nextOpen)
        const isSame = nextOpen.size === now.length && now.every(path => nextOpen.has(path))
        return isSame ? now : [...nextOpen].slice(-MAX_STORED_FOLDERS)
      }),
    [store],
  )
  return [openFolders, changeOpen] as const
}

export const boundedWidth = (width: number) =>
  Math.min(TREE_WIDTH.max, Math.max(TREE_WIDTH.min, Math.round(width)))

export function useTreeWidth() {
  const [width, store] = useStored<number>('fundus-baum-breite', TREE_WIDTH.initial)
  return [boundedWidth(width), (next: number) => store(boundedWidth(next))] as const
}
