/** The rows of the folder tree, and the steps among them by keyboard. */
import type { FolderNode } from '../types.ts'

export interface TreeRow {
  path: string
  name: string
  files: number
  bytes: number
  /** The level in the tree; that of the top folder is 1. */
  level: number
  /** Whether the folder is open; null if it has no subfolders. */
  open: boolean | null
  /** The folder's position among its siblings, from 1, and their number. */
  position: number
  siblings: number
}

/** The visible rows of the tree. The first one is the top folder, which is always open. */
export function treeRows(folders: readonly FolderNode[], open: ReadonlySet<string>, top: string): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (nodes: readonly FolderNode[], level: number) => {
    for (const [at, { pfad, name, dateien, bytes, ordner }] of nodes.entries()) {
      const isOpen = ordner.length === 0 ? null : open.has(pfad)
      rows.push({
        path: pfad,
        name,
        files: dateien,
        bytes,
        level,
        open: isOpen,
        position: at + 1,
        siblings: nodes.length,
      })
      if (isOpen) add(ordner, level + 1)
    }
  }
  add(folders, 2)
  return [topRow(folders, top), ...rows]
}

/**
 * The row of the top folder. Its figures are 0 and not shown: `folders` does not count the files directly in
 * the top folder, so a sum would be too low.
 */
const topRow = (folders: readonly FolderNode[], name: string): TreeRow => ({
  path: '',
  name,
  files: 0,
  bytes: 0,
  level: 1,
  open: folders.length === 0 ? null : true,
  position: 1,
  siblings: 1,
})

export type TreeStep = { go: number } | { open: string } | { close: string } | null

/** The step for a key, as usual in a tree view; null if the key has no meaning here. */
export function treeStep(rows: readonly TreeRow[], at: number, key: string): TreeStep {
  const row = rows[at]
  if (!row) return null
  const within = (index: number) => ({ go: Math.max(0, Math.min(rows.length - 1, index)) })
  switch (key) {
    case 'ArrowDown':
      return within(at + 1)
    case 'ArrowUp':
      return within(at - 1)
    case 'Home':
      return within(0)
    case 'End':
      return within(rows.length - 1)
    case 'ArrowRight':
      if (row.open === null) return null
      return row.open ? within(at + 1) : { open: row.path }
    case 'ArrowLeft':
      if (row.open && row.level > 1) return { close: row.path }
      return within(parentIndex(rows, at))
    default:
      return null
  }
}

function parentIndex(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1
  for (let above = at - 1; above >= 0; above--) if (rows[above]!.level < level) return above
  return at
}
