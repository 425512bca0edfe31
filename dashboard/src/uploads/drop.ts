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
   * The folder that the overlay shows. Without it there is no overlay; the zone itself shows that it accepts
   * files.
   */
  folder?: string
  onFiles?(files: Promise<Candidate[]>): void
  /**
   * Returns the function that handles the drop of an item of this page; null if the item cannot be dropped
   * here.
   */
  onOwn?(): (() => void) | null
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
 * Listens for drops; `outside` returns the zone for files that no other zone accepts. Returns a function that
 * stops listening.
 */
export function listenForDrops(outside: () => DropZone): () => void {
  const stop = new AbortController()
  let isOwn = false
  let marked: Element | null = null
  const mark = (element: Element | null) => {
    if (marked === element) return
    for (const [each, isOver] of [
      [marked, false],
      [element, true],
    ] as const) {
      each?.toggleAttribute('data-drop-over', isOver)
      if (each) zones.get(each)?.onOver?.(isOver)
    }
    marked = element
  }
  const leave = () => {
    mark(null)
    dropTargetFolder.set(null)
  }
  /** The zone at the position of the pointer, and what a drop there would do. */
  const landing = (event: DragEvent) => {
    const element = event.target instanceof Element ? event.target.closest('[data-drop-zone]') : null
    const zone = element ? zones.get(element) : undefined
    if (isOwn) return { element, effect: 'move', drop: zone?.onOwn?.() } as const
    if (!event.dataTransfer?.types.includes('Files')) return null
    // The default is prevented: the browser would leave the page and open the file.
    event.preventDefault()
    if (isDialogOpen()) return null
    const { folder = null, onFiles } = zone?.onFiles ? zone : outside()
    if (!onFiles) return null
    const drop = () => onFiles(candidatesFromDrop(event.dataTransfer!))
    return { element, effect: 'copy', folder, drop } as const
  }
  const hover = (event: DragEvent) => {
    const at = landing(event)
    if (!at?.drop) return leave()
    event.preventDefault()
    event.dataTransfer!.dropEffect = at.effect
    mark(at.element)
    dropTargetFolder.set('folder' in at ? at.folder : null)
  }
  const listeners: Partial<{ [Name in keyof WindowEventMap]: (event: DragEvent) => void }> = {
    dragenter: hover,
    dragover: hover,
    dragleave: event => event.relatedTarget === null && leave(),
    drop(event) {
      const at = landing(event)
      leave()
      if (!at?.drop) return
      event.preventDefault()
      at.drop()
    },
    // Remembers that the drag began on this page: a dragged picture of the page would otherwise count as a
    // file.
    dragstart: () => {
      isOwn = true
    },
    dragend: () => {
      isOwn = false
      leave()
    },
  }
  for (const [name, listener] of Object.entries(listeners))
    window.addEventListener(name, listener as EventListener, { signal: stop.signal })
  return () => stop.abort()
}

export const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
