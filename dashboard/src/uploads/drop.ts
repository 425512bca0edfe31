/**
 * Drag and drop for the whole window: an element with `{...dropZone({ … })}` accepts files from the desktop,
 * or dragged parts of this page, and has `data-drop-over` while hovered. The nearest zone counts. Files
 * dropped elsewhere are uploaded to the open folder.
 */
import { createObservable } from '../state/observable.ts'
import { type Candidate, fromTransfer } from './plan/candidates.ts'

export interface DropZone {
  /** The folder shown in the overlay; without it the zone itself shows that it accepts files. */
  folder?: string
  onFiles?(files: Promise<Candidate[]>): void
  /** The effect of dropping a dragged part of this page here; null if it cannot be dropped. */
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

/** The folder of dragged files; null while none are dragged. */
export const landingFolder = createObservable<string | null>(null)

/** `outside`: accepts files that no zone takes. Returns how to stop listening. */
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
    landingFolder.set(null)
  }
  /** The effect of a drop at the pointer's position. */
  const landing = (event: DragEvent) => {
    const element = event.target instanceof Element ? event.target.closest('[data-drop-zone]') : null
    const zone = element ? zones.get(element) : undefined
    if (isOwn) return { element, effect: 'move', drop: zone?.onOwn?.() } as const
    if (!event.dataTransfer?.types.includes('Files')) return null
    // Otherwise the browser would leave the page and open the file.
    event.preventDefault()
    if (isDialogOpen()) return null
    const { folder = null, onFiles } = zone?.onFiles ? zone : outside()
    if (!onFiles) return null
    const drop = () => onFiles(fromTransfer(event.dataTransfer!))
    return { element, effect: 'copy', folder, drop } as const
  }
  const hover = (event: DragEvent) => {
    const at = landing(event)
    if (!at?.drop) return leave()
    event.preventDefault()
    event.dataTransfer!.dropEffect = at.effect
    mark(at.element)
    landingFolder.set('folder' in at ? at.folder : null)
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
    // A dragged picture of the page counts as a file too.
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
