/** The open folders of the folder tree, which the browser stores. */
import { useCallback, useMemo } from 'react'
import { personalKey } from '../../state/session.ts'
import { useStoredState } from '../../state/use-stored.ts'

/** Maximum number of open folders that are stored. */
const MAX_STORED_FOLDERS = 500

const NO_OPEN_FOLDERS: readonly string[] = []

export function useOpenFolders() {
  const [storedFolders, storeFolders] = useStoredState<readonly string[]>(
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
