/** The state of the folder tree that the browser stores: the open folders, and the width of the tree. */
import { useCallback, useMemo } from 'react'
import { personalKey } from '../../state/session.ts'
import { useStored } from '../../state/use-stored.ts'

/** The limits and the initial value of the width of the tree, in pixels. */
export const TREE_WIDTH = { min: 160, max: 480, initial: 216 } as const
/** Maximum number of open folders that are stored. */
const MAX_STORED_FOLDERS = 500

const NO_OPEN_FOLDERS: readonly string[] = []

export function useOpenFolders() {
  const [storedFolders, storeFolders] = useStored<readonly string[]>(
    personalKey('baum-offen'),
    NO_OPEN_FOLDERS,
  )
  const openFolders: ReadonlySet<string> = useMemo(() => new Set(storedFolders), [storedFolders])
  const changeOpenFolders = useCallback(
    (edit: (openFolders: Set<string>) => void) =>
      storeFolders(openPaths => {
        const nextOpenPaths = new Set(openPaths)
        edit(nextOpenPaths)
        const isSame =
          nextOpenPaths.size === openPaths.length && openPaths.every(path => nextOpenPaths.has(path))
        return isSame ? openPaths : [...nextOpenPaths].slice(-MAX_STORED_FOLDERS)
      }),
    [storeFolders],
  )
  return [openFolders, changeOpenFolders] as const
}

export const clampWidth = (width: number) =>
  Math.min(TREE_WIDTH.max, Math.max(TREE_WIDTH.min, Math.round(width)))

export function useTreeWidth() {
  const [width, storeWidth] = useStored<number>('fundus-baum-breite', TREE_WIDTH.initial)
  return [clampWidth(width), (newWidth: number) => storeWidth(clampWidth(newWidth))] as const
}
