/** Builds the tree of all folders that have files. */
import type { FolderNode } from '../../../contract/files/library.ts'
import { isBelow } from '../../../contract/paths/paths.ts'
import { inNaturalOrder } from '../../../database/natural-key.ts'
import { type Area, isLimitedTop } from '../../../http/access/area.ts'
import { folderOf } from '../../folders/folder-keys.ts'
import type { FolderFigures } from '../../folders/folders.store.ts'

interface Level {
  parent: Level | null
  node: FolderNode
  children: Map<string, Level>
}

const createLevel = (parent: Level | null, name: string): Level => {
  const path = parent === null || parent.node.pfad === '' ? name : `${parent.node.pfad}/${name}`
  return {
    parent,
    node: { name, pfad: path, dateien: 0, bytes: 0, ordner: [] },
    children: new Map(),
  }
}

/**
 * Each node counts all files in it and below it. For a limited account, the folders that it may see are the
 * top nodes.
 */
export function folderTree(folders: Iterable<{ key: string } & FolderFigures>, area: Area): FolderNode[] {
  const root = createLevel(null, '')
  for (const { key, files, bytes } of folders) {
    if (key === '') continue
    let level = root
    for (const name of levelNames(key, area)) level = findOrCreateChild(level, name)
    for (let ancestor: Level | null = level; ancestor; ancestor = ancestor.parent) {
      ancestor.node.dateien += files
      ancestor.node.bytes += bytes
    }
  }
  sortChildren(root.node)
  return root.node.ordner
}

function levelNames(key: string, area: Area): string[] {
  const limitFolder = isLimitedTop(area) ? area.folders.find(folder => isBelow(key, folder)) : undefined
  if (limitFolder === undefined) return folderOf(key).split('/')
  const pathBelow = key.slice(limitFolder.length + 1, -1)
  return [limitFolder, ...(pathBelow === '' ? [] : pathBelow.split('/'))]
}

function sortChildren(node: FolderNode): void {
  node.ordner = inNaturalOrder(node.ordner, ({ name }) => name)
  for (const child of node.ordner) sortChildren(child)
}

function findOrCreateChild(parent: Level, name: string): Level {
  const existingChild = parent.children.get(name)
  if (existingChild) return existingChild
  const child = createLevel(parent, name)
  parent.children.set(name, child)
  parent.node.ordner.push(child.node)
  return child
}
