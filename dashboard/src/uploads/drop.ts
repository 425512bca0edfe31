/**
 * Drag and drop for the whole window: an element with `{...dropZone({ … })}` accepts files from the desktop,
 * or dragged items of this page, and has the attribute `data-drop-over` while the pointer is above it. If
 * zones are nested, the innermost one accepts the drop. Files that are dropped outside of all zones are
 * uploaded to the open folder.
 */
import { createObservable } from '../state/observable.ts'
import { type Candidate, candidatesFromDrop } from './plan/candidates.ts'

export interface DropZone {
  /**
   * The folder that the overlay names while files are over the zone. Without it there is no overlay, and the
   * zone itself shows that it accepts files.
   */
  folder?: string
  onFiles?(files: Promise<Candidate[]>): void
  /**
   * Returns the function that handles the drop of an item of this page; null if the item cannot be dropped
   * here.
   */
  dropHandlerForItem?(): (() => void) | null
  onOver?(isOver: boolean): void
}

const zones = new WeakMap<Element, DropZone>()

export const dropZone = (zone: DropZone) => ({
  'data-drop-zone': '',
  ref(element: Element | null) {
    if (element) zones.set(element, zone)
  },
})

/** The folder into which the dragged files would be uploaded; null while no files are dragged. */
export const dropTargetFolder = createObservable<string | null>(null)

/**
 * Listens for drops; `zoneOutside` returns the zone for files that no other zone accepts. Returns a function
 * that stops listening.
 */
export function listenForDrops(zoneOutside: () => DropZone): () => void {
  const abortController = new AbortController()
  let isPageItemDragged = false
  let markedElement: Element | null = null
  const moveMark = (element: Element | null) => {
    if (markedElement === element) return
    for (const [each, isOver] of [
      [markedElement, false],
      [element, true],
    ] as const) {
      each?.toggleAttribute('data-drop-over', isOver)
      if (each) zones.get(each)?.onOver?.(isOver)
    }
    markedElement = element
  }
  const clearMark = () => {
    moveMark(null)
    dropTargetFolder.set(null)
  }
  /** The zone below the pointer, and the function that a drop there calls; null if nothing can be dropped. */
  const findLanding = (event: DragEvent) => {
    const element = event.target instanceof Element ? event.target.closest('[data-drop-zone]') : null
    const zone = element ? zones.get(element) : undefined
    if (isPageItemDragged) return { element, effect: 'move', drop: zone?.dropHandlerForItem?.() } as const
    if (!event.dataTransfer?.types.includes('Files')) return null
    // The default is prevented: the browser would leave the page and open the file.
    event.preventDefault()
    if (isDialogOpen()) return null
    const { folder = null, onFiles } = zone?.onFiles ? zone : zoneOutside()
    if (!onFiles) return null
    const drop = () => onFiles(candidatesFromDrop(event.dataTransfer!))
    return { element, effect: 'copy', folder, drop } as const
  }
  const handleDragOver = (event: DragEvent) => {
    const landing = findLanding(event)
    if (!landing?.drop) return clearMark()
    event.preventDefault()
    event.dataTransfer!.dropEffect = landing.effect
    moveMark(landing.element)
    dropTargetFolder.set('folder' in landing ? landing.folder : null)
  }
  const listeners: Partial<{ [Name in keyof WindowEventMap]: (event: DragEvent) => void }> = {
    dragenter: handleDragOver,
    dragover: handleDragOver,
    dragleave: event => event.relatedTarget === null && clearMark(),
    drop(event) {
      const landing = findLanding(event)
      clearMark()
      if (!landing?.drop) return
      event.preventDefault()
      landing.drop()
    },
    // Remembers that the drag began on this page: a picture that is dragged from the page would otherwise
    // count as a file from the desktop.
    dragstart: () => {
      isPageItemDragged = true
    },
    dragend: () => {
      isPageItemDragged = false
      clearMark()
    },
  }
  for (const [name, listener] of Object.entries(listeners))
    window.addEventListener(name, listener as EventListener, { signal: abortController.signal })
  return () => abortController.abort()
}

export const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
