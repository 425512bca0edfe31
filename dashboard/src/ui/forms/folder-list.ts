/** The folder tree as a flat list, and the folders that match a typed text. */

export interface FolderNode {
  pfad: string
  dateien: number
  bytes: number
  ordner: readonly FolderNode[]
}

/** All folders of the tree, depth first. */
export function flattenFolders(tree: readonly FolderNode[]): FolderNode[] {
  return tree.flatMap(folder => [folder, ...flattenFolders(folder.ordner)])
}

/**
 * At most `limit` of the paths that contain the typed text, ignoring case; paths that begin with it come
 * first.
 */
export function findMatchingFolders(paths: readonly string[], typedText: string, limit: number): string[] {
  const searchText = typedText.trim().toLowerCase()
  const prefixMatches = paths.filter(path => path.toLowerCase().startsWith(searchText))
  if (prefixMatches.length >= limit || searchText === '') return prefixMatches.slice(0, limit)
  const otherMatches = paths.filter(path => path.toLowerCase().indexOf(searchText) > 0)
  return [...prefixMatches, ...otherMatches].slice(0, limit)
}

/** Removes first the spaces, then the slashes at both ends: ` /items/ ` → `items`. */
export const trimFolder = (typedFolder: string) => typedFolder.trim().replace(/^\/+|\/+$/g, '')
