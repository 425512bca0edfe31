/** The visible rows of the folder tree, and the meaning of the keys in them. */
import type { FolderNode } from '../../../../src/contract/files/library.ts'

export interface TreeRow {
  path: string
  name: string
  fileCount: number
  bytes: number
  /** The level in the tree; that of the top folder is 1. */
  level: number
  /** Whether the folder is open; null if it has no subfolders. */
  isOpen: boolean | null
  /** The folder's position among its siblings, from 1. `siblingCount` includes the folder itself. */
  position: number
  siblingCount: number
}

/** The visible rows of the tree. The first one is the top folder, which is always open. */
export function treeRows(
  folders: readonly FolderNode[],
  openFolders: ReadonlySet<string>,
  topName: string,
): TreeRow[] {
  const rows: TreeRow[] = []
  const addRows = (nodes: readonly FolderNode[], level: number) => {
    for (const [index, { pfad, name, dateien, bytes, ordner }] of nodes.entries()) {
      const isOpen = ordner.length === 0 ? null : openFolders.has(pfad)
      rows.push({
        path: pfad,
        name,
        fileCount: dateien,
        bytes,
        level,
        isOpen,
        position: index + 1,
        siblingCount: nodes.length,
      })
      if (isOpen) addRows(ordner, level + 1)
    }
  }
  addRows(folders, 2)
  return [topRow(folders, topName), ...rows]
}

/**
 * The row of the top folder. Its numbers of files and bytes are 0 and not shown: `folders` does not count the
 * files directly in the top folder, so a sum would be too low.
 */
const topRow = (folders: readonly FolderNode[], name: string): TreeRow => ({
  path: '',
  name,
  fileCount: 0,
  bytes: 0,
  level: 1,
  isOpen: folders.length === 0 ? null : true,
  position: 1,
  siblingCount: 1,
})

export type TreeStep = { go: number } | { open: string } | { close: string } | null

/**
 * Returns what a key does in the row at `rowIndex`, as usual in a tree view. `go` is the index of the row to
 * move to; `open` or `close` is the path of the folder to open or close. Null if the key does nothing there.
 */
export function treeStep(rows: readonly TreeRow[], rowIndex: number, key: string): TreeStep {
  const row = rows[rowIndex]
  if (!row) return null
  const goTo = (index: number) => ({ go: Math.max(0, Math.min(rows.length - 1, index)) })
  switch (key) {
    case 'ArrowDown':
      return goTo(rowIndex + 1)
    case 'ArrowUp':
      return goTo(rowIndex - 1)
    case 'Home':
      return goTo(0)
    case 'End':
      return goTo(rows.length - 1)
    case 'ArrowRight':
      if (row.isOpen === null) return null
      return row.isOpen ? goTo(rowIndex + 1) : { open: row.path }
    case 'ArrowLeft':
      if (row.isOpen && row.level > 1) return { close: row.path }
      return goTo(parentIndex(rows, rowIndex))
    default:
      return null
  }
}

function parentIndex(rows: readonly TreeRow[], childIndex: number): number {
  const level = rows[childIndex]?.level ?? 1
  for (let index = childIndex - 1; index >= 0; index--) if (rows[index]!.level < level) return index
  return childIndex
}
