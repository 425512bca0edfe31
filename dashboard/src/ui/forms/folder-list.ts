/** The folder tree as a flat list, and the folders that match a typed text. */

export interface FolderNode {
  pfad: string
  dateien: number
  bytes: number
  ordner: readonly FolderNode[]
}

/** All folders of the tree, depth first. */
export function flatFolders(tree: readonly FolderNode[]): FolderNode[] {
  return tree.flatMap(folder => [folder, ...flatFolders(folder.ordner)])
}

/** At most `limit` folders that contain the text; those that begin with it are first. */
export function matchingFolders(paths: readonly string[], typed: string, limit: number): string[] {
  const wanted = typed.trim().toLowerCase()
  const starts = paths.filter(path => path.toLowerCase().startsWith(wanted))
  if (starts.length >= limit || wanted === '') return starts.slice(0, limit)
  const contains = paths.filter(path => path.toLowerCase().indexOf(wanted) > 0)
  return [...starts, ...contains].slice(0, limit)
}

/** Removes spaces and slashes at both ends: `/items/` → `items`. */
export const tidyFolder = (typed: string) => typed.trim().replace(/^\/+|\/+$/g, '')
