/**
 * Drag and drop for the whole window: an element with `{...dropZone({ … })}` accepts files from the desktop,
 * or dragged items of this page. While they are dragged over the element, it has the attribute
 * `data-drop-over`. If zones are nested, only the innermost one is asked. Files that are dropped outside of
 * all zones, or on a zone that accepts no files, are uploaded to the default folder (`use-upload-folder.ts`).
 * While a modal dialog is open, files are not accepted.
 */
import { createObservable } from '../state/observable.ts'
import { candidatesFromDrop, type ReadCandidates } from './plan/candidates.ts'

export interface DropZone {
  /**
   * The folder that the overlay names while files are over the zone. Without it there is no overlay, and the
   * zone itself shows that it accepts files.
   */
  folder?: string
  onFiles?(readFiles: ReadCandidates): void
  /**
   * Returns the function that handles the drop of an item of this page; null if the item cannot be dropped
   * here.
   */
  dropHandlerForItem?(): (() => void) | null
  onHoverChange?(isHovered: boolean): void
}

const zonesByElement = new WeakMap<Element, DropZone>()

export const dropZone = (zone: DropZone) => ({
  'data-drop-zone': '',
  ref(element: Element | null) {
    if (element) zonesByElement.set(element, zone)
  },
})

/** The folder that the overlay names, to which dragged files would be uploaded; null: there is no overlay. */
export const dropTargetFolder = createObservable<string | null>(null)

/**
 * Listens for drops. `getFallbackZone` returns the zone that receives files if no zone below the pointer
 * accepts them. Returns a function that stops listening.
 */
export function listenForDrops(getFallbackZone: () => DropZone): () => void {
  const abortController = new AbortController()
  let isPageItemDragged = false
  /** The element that has the attribute `data-drop-over`. */
  let hoveredElement: Element | null = null
  const setHovered = (element: Element | null) => {
    if (hoveredElement === element) return
    for (const [zoneElement, isHovered] of [
      [hoveredElement, false],
      [element, true],
    ] as const) {
      zoneElement?.toggleAttribute('data-drop-over', isHovered)
      if (zoneElement) zonesByElement.get(zoneElement)?.onHoverChange?.(isHovered)
    }
    hoveredElement = element
  }
  const clearHovered = () => {
    setHovered(null)
    dropTargetFolder.set(null)
  }
  /**
   * Finds the zone below the pointer. `drop` handles a drop there. If the result is null or has no `drop`,
   * nothing can be dropped there. `element` is null if the drop is not handled by a zone below the pointer.
   */
  const findDropTarget = (event: DragEvent) => {
    const element = event.target instanceof Element ? event.target.closest('[data-drop-zone]') : null
    const zone = element ? zonesByElement.get(element) : undefined
    if (isPageItemDragged) return { element, effect: 'move', drop: zone?.dropHandlerForItem?.() } as const
    if (!event.dataTransfer?.types.includes('Files')) return null
    // By default, the browser would leave the page and open the file.
    event.preventDefault()
    if (isDialogOpen()) return null
    const acceptsFiles = zone?.onFiles !== undefined
    const { folder = null, onFiles } = acceptsFiles ? zone : getFallbackZone()
    if (!onFiles) return null
    const drop = () => onFiles(candidatesFromDrop(event.dataTransfer!))
    return { element: acceptsFiles ? element : null, effect: 'copy', folder, drop } as const
  }
  const handleDragOver = (event: DragEvent) => {
    const dropTarget = findDropTarget(event)
    if (!dropTarget?.drop) return clearHovered()
    event.preventDefault()
    event.dataTransfer!.dropEffect = dropTarget.effect
    setHovered(dropTarget.element)
    dropTargetFolder.set('folder' in dropTarget ? dropTarget.folder : null)
  }
  const listeners: Partial<{ [Name in keyof WindowEventMap]: (event: DragEvent) => void }> = {
    dragenter: handleDragOver,
    dragover: handleDragOver,
    dragleave: event => event.relatedTarget === null && clearHovered(),
    drop(event) {
      const dropTarget = findDropTarget(event)
      clearHovered()
      if (!dropTarget?.drop) return
      event.preventDefault()
      dropTarget.drop()
    },
    // Remembers that the drag began on this page: a picture that is dragged from the page would otherwise
    // count as a file from the desktop.
    dragstart: () => {
      isPageItemDragged = true
    },
    dragend: () => {
      isPageItemDragged = false
      clearHovered()
    },
  }
  for (const [name, listener] of Object.entries(listeners))
    window.addEventListener(name, listener as EventListener, { signal: abortController.signal })
  return () => abortController.abort()
}

export const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
