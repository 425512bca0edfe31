/** What the browser stores about the folder tree: the open folders, and its width. */
import { useCallback, useMemo } from 'react'
import { personalKey } from '../../state/session.ts'
import { useStored } from '../../state/use-stored.ts'

export const TREE_WIDTH = { least: 160, most: 480, first: 216 } as const
/** Maximum number of open folders that are stored. */
const REMEMBERED_MAX = 500

const NOTHING_OPEN: readonly string[] = []

export function useOpenFolders() {
  const [stored, store] = useStored<readonly string[]>(personalKey('baum-offen'), NOTHING_OPEN)
  const open: ReadonlySet<string> = useMemo(() => new Set(stored), [stored])
  const change = useCallback(
    (edit: (now: Set<string>) => void) =>
      store(now => {
        const next = new Set(now)
        edit(next)
        const isSame = next.size === now.length && now.every(path => next.has(path))
        return isSame ? now : [...next].slice(-REMEMBERED_MAX)
      }),
    [store],
  )
  return [open, change] as const
}

export const boundedWidth = (width: number) =>
  Math.min(TREE_WIDTH.most, Math.max(TREE_WIDTH.least, Math.round(width)))

export function useTreeWidth() {
  const [width, store] = useStored<number>('fundus-baum-breite', TREE_WIDTH.first)
  return [boundedWidth(width), (next: number) => store(boundedWidth(next))] as const
}
