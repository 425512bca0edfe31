/** Files and folders under way by mouse to a folder. Dragged into another program they are their addresses. */
import type { DragEvent } from 'react'
import { folderOf, isWithin } from '../../../parts/paths.ts'
import type { FileAnswer } from '../types.ts'

export type Dragged = { files: readonly FileAnswer[] } | { folder: string }

/** While one drags, a browser shows only the types of what is dragged, not its contents. */
let dragged: Dragged | null = null

export function startDrag(transfer: DataTransfer, what: Dragged, label: string): void {
  dragged = what
  transfer.effectAllowed = 'copyMove'
  if ('files' in what) {
    const addresses = what.files.map(({ url }) => url)
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

/** What hangs on the pointer: how much it is. */
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

/** A folder does not go into itself, and nothing goes where it already is. */
export function mayDrop(what: Dragged | null, folder: string): boolean {
  if (!what) return false
  if ('folder' in what) return !isWithin(folder, what.folder) && folderOf(what.folder) !== folder
  return what.files.some(({ path }) => folderOf(path) !== folder)
}

/** Makes an element a place to drop things: `{...dropTarget('items', move)}`. */
export function dropTarget(folder: string, onDrop: (what: Dragged, folder: string) => void) {
  const mark = ({ currentTarget }: DragEvent<HTMLElement>, on: boolean) => {
    if (on) currentTarget.dataset.drop = ''
    else delete currentTarget.dataset.drop
  }
  return {
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
