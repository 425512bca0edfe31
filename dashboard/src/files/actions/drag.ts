/**
 * Dragging files and folders into a folder. Other programs receive the addresses of dragged files, or the
 * path of a dragged folder.
 */
import { mayAddFiles, mayMoveFolder } from '../../state/rights.ts'
import { dropZone } from '../../uploads/drop.ts'
import { uploadZone } from '../../uploads/uploads.ts'
import { filesOf, isFolder, mayMove, type Target } from '../target.ts'

/** Whether cards can be dragged, which needs a mouse: with a finger, a long touch selects the card. */
export const CAN_DRAG = matchMedia('(hover: hover)').matches

/**
 * The files or folder being dragged; null if none. Stored here because browsers do not reveal the dragged
 * data before the drop.
 */
let draggedTarget: Target | null = null

export function startDrag(transfer: DataTransfer, target: Target, label: string): void {
  draggedTarget = target
  transfer.effectAllowed = 'copyMove'
  if (isFolder(target)) transfer.setData('text/plain', target)
  else {
    const addresses = filesOf(target).map(({ url }) => url)
    transfer.setData('text/uri-list', addresses.join('\r\n'))
    transfer.setData('text/plain', addresses.join('\n'))
  }
  transfer.setDragImage(createDragImage(label), -12, -12)
}

export function endDrag(): void {
  draggedTarget = null
  for (const image of document.querySelectorAll('[data-drag-image]')) image.remove()
}

/** Creates the drag image, which shows a name or the number of files. */
function createDragImage(label: string): HTMLElement {
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

/**
 * Props for an element that represents a folder. They make it a drop target: dragged files and folders are
 * moved into the folder, and files from the desktop are uploaded to it, if the account may do so.
 */
export const folderDropZone = (folder: string, onMove: (target: Target, folder: string) => void) =>
  dropZone({
    ...uploadZone(folder),
    dropHandlerForItem() {
      const target = draggedTarget
      return target !== null && mayAddFiles(folder) && mayMove(target, folder)
        ? () => onMove(target, folder)
        : null
    },
  })

export const folderDragProps = (folder: string, name: string) => ({
  draggable: CAN_DRAG && mayMoveFolder(folder),
  onDragStart: ({ dataTransfer }: { dataTransfer: DataTransfer }) => startDrag(dataTransfer, folder, name),
  onDragEnd: endDrag,
})
