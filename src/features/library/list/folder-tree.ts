/** Builds the tree of all folders that have files. */
import type { FolderNode } from '../../../contract/files/library.ts'
import { isBelow, pathBelow } from '../../../contract/paths/path-parts.ts'
import { sortNaturally } from '../../../database/natural-key.ts'
import { type Area, isTopOfLimitedArea } from '../../../http/access/library-area.ts'
import { folderOf } from '../../folders/folder-keys.ts'
import type { FolderTotals } from '../../folders/folders.store.ts'

interface TreeNode {
  parent: TreeNode | null
  node: FolderNode
  children: Map<string, TreeNode>
}

const createTreeNode = (parent: TreeNode | null, name: string): TreeNode => {
  const path = pathBelow(parent?.node.pfad ?? '', name)
  return {
    parent,
    node: { name, pfad: path, dateien: 0, bytes: 0, ordner: [] },
    children: new Map(),
  }
}

/**
 * Each node counts all files in its folder and below it. For an account that is limited to some folders,
 * these folders are the top nodes.
 */
export function folderTree(folders: Iterable<{ key: string } & FolderTotals>, area: Area): FolderNode[] {
  const root = createTreeNode(null, '')
  for (const { key, files, bytes } of folders) {
    if (key === '') continue
    let treeNode = root
    for (const name of nodeNames(key, area)) treeNode = findOrCreateChild(treeNode, name)
    for (let ancestor: TreeNode | null = treeNode; ancestor; ancestor = ancestor.parent) {
      ancestor.node.dateien += files
      ancestor.node.bytes += bytes
    }
  }
  sortChildren(root.node)
  return root.node.ordner
}

function nodeNames(key: string, area: Area): string[] {
  const limitFolder = isTopOfLimitedArea(area) ? area.folders.find(folder => isBelow(key, folder)) : undefined
  if (limitFolder === undefined) return folderOf(key).split('/')
  const pathBelow = key.slice(limitFolder.length + 1, -1)
  return [limitFolder, ...(pathBelow === '' ? [] : pathBelow.split('/'))]
}

function sortChildren(node: FolderNode): void {
  node.ordner = sortNaturally(node.ordner, ({ name }) => name)
  for (const child of node.ordner) sortChildren(child)
}

function findOrCreateChild(parent: TreeNode, name: string): TreeNode {
  const existingChild = parent.children.get(name)
  if (existingChild) return existingChild
  const child = createTreeNode(parent, name)
  parent.children.set(name, child)
  parent.node.ordner.push(child.node)
  return child
}
