/** The visible rows of the folder tree, and the meaning of the keys in them. */
import type { FolderNode } from '../types.ts'

export interface TreeRow {
  path: string
  name: string
  files: number
  bytes: number
  /** The level in the tree; that of the top folder is 1. */
  level: number
  /** Whether the folder is open; null if it has no subfolders. */
  isOpen: boolean | null
  /** The folder's position among its siblings, from 1. `siblings` includes the folder itself. */
  position: number
  siblings: number
}

/** The visible rows of the tree. The first one is the top folder, which is always open. */
export function treeRows(
  folders: readonly FolderNode[],
  openFolders: ReadonlySet<string>,
  topName: string,
): TreeRow[] {
  const rows: TreeRow[] = []
  const addRows = (nodes: readonly FolderNode[], level: number) => {
    for (const [at, { pfad, name, dateien, bytes, ordner }] of nodes.entries()) {
      const isOpen = ordner.length === 0 ? null : openFolders.has(pfad)
      rows.push({
        path: pfad,
        name,
        files: dateien,
        bytes,
        level,
        isOpen,
        position: at + 1,
        siblings: nodes.length,
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
  files: 0,
  bytes: 0,
  level: 1,
  isOpen: folders.length === 0 ? null : true,
  position: 1,
  siblings: 1,
})

export type TreeStep = { go: number } | { open: string } | { close: string } | null

/**
 * Returns what a key does in the row at index `at`, as usual in a tree view: `go` to the row with this index,
 * or open or close a folder; null if the key has no meaning there.
 */
export function treeStep(rows: readonly TreeRow[], at: number, key: string): TreeStep {
  const row = rows[at]
  if (!row) return null
  const goTo = (index: number) => ({ go: Math.max(0, Math.min(rows.length - 1, index)) })
  switch (key) {
    case 'ArrowDown':
      return goTo(at + 1)
    case 'ArrowUp':
      return goTo(at - 1)
    case 'Home':
      return goTo(0)
    case 'End':
      return goTo(rows.length - 1)
    case 'ArrowRight':
      if (row.isOpen === null) return null
      return row.isOpen ? goTo(at + 1) : { open: row.path }
    case 'ArrowLeft':
      if (row.isOpen && row.level > 1) return { close: row.path }
      return goTo(parentIndex(rows, at))
    default:
      return null
  }
}

function parentIndex(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1
  for (let above = at - 1; above >= 0; above--) if (rows[above]!.level < level) return above
  return at
}
