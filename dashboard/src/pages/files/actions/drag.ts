/** Dragging files and folders into a folder. Another program that they are dragged into gets their addresses. */
import type { DragEvent } from 'react'
import { folderOf, isWithin } from '../../../parts/paths.ts'
import { filesOf, isWhole, type Meant } from '../selection/meant.ts'

export type Dragged = { meant: Meant } | { folder: string }

/** Kept here, since a browser does not reveal the contents of a drag before the drop. */
let dragged: Dragged | null = null

export function startDrag(transfer: DataTransfer, what: Dragged, label: string): void {
  dragged = what
  transfer.effectAllowed = 'copyMove'
  if ('meant' in what) {
    const addresses = filesOf(what.meant).map(({ url }) => url)
    transfer.setData('text/uri-list', addresses.join('\r\n'))
    transfer.setData('text/plain', addresses.join('\n'))
  } else {
    transfer.setData('text/plain', what.folder)
  }
  transfer.setDragImage(dragImage(label), -12, -12)
}

export function endDrag(): void {
  dragged = null
  for (const image of document.querySelectorAll('[data-drag-image]')) image.remove()
}

/** The picture at the pointer: a name, or the number of files. */
function dragImage(label: string): HTMLElement {
  const image = document.createElement('div')
  image.dataset.dragImage = ''
  image.textContent = label
  Object.assign(image.style, {
    position: 'fixed',
    top: '-100px',
    padding: '8px 16px',
    borderRadius: '8px',
    font: '14px system-ui',
    color: 'var(--mantine-primary-color-contrast)',
    background: 'var(--mantine-primary-color-filled)',
  })
  document.body.append(image)
  return image
}

/** A folder cannot be dropped into itself, and nothing into the folder where it already lies. */
export function mayDrop(what: Dragged | null, folder: string): boolean {
  if (!what) return false
  if ('folder' in what) return !isWithin(folder, what.folder) && folderOf(what.folder) !== folder
  return isWhole(what.meant) || what.meant.some(({ path }) => folderOf(path) !== folder)
}

/** Makes an element a place to drop things: `{...dropTarget('items', move)}`. */
export function dropTarget(folder: string, onDrop: (what: Dragged, folder: string) => void) {
  const mark = ({ currentTarget }: DragEvent<HTMLElement>, on: boolean) => {
    if (on) currentTarget.dataset.drop = ''
    else delete currentTarget.dataset.drop
  }
  return {
    // Files from the desktop land there too (uploads/drop-target.ts).
    'data-drop-folder': folder,
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!mayDrop(dragged, folder)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      mark(event, true)
    },
    onDragLeave(event: DragEvent<HTMLElement>) {
      mark(event, false)
    },
    onDrop(event: DragEvent<HTMLElement>) {
      mark(event, false)
      const what = dragged
      if (!what || !mayDrop(what, folder)) return
      event.preventDefault()
      event.stopPropagation()
      endDrag()
      onDrop(what, folder)
    },
  }
}
