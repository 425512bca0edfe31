/**
 * Files dragged over the window. A part of a page that takes files itself has `data-drop-zone`; one that stands for a
 * folder has `data-drop-folder` with its path, and is marked with `data-drop-over` while files hang over it.
 */
import { useEffect, useEffectEvent, useState } from 'react'

export interface DropHandlers {
  /** Where files land that are dropped on nothing in particular. */
  folder: string
  onDrop(transfer: DataTransfer, folder: string): void
}

/** The folder that files would land in; null while none are dragged. */
export function useDropTarget({ folder, onDrop }: DropHandlers): string | null {
  const [over, setOver] = useState<string | null>(null)
  const landing = useEffectEvent((target: EventTarget | null) => folderAt(target) ?? folder)
  const dropped = useEffectEvent(onDrop)

  useEffect(() => listenForDrags({ setOver, landing, dropped }), [])
  return over
}

interface DragListeners {
  setOver(folder: string | null): void
  landing(target: EventTarget | null): string
  dropped(transfer: DataTransfer, folder: string): void
}

/** Answers how to stop listening. */
function listenForDrags({ setOver, landing, dropped }: DragListeners): () => void {
  let ownDrag = false
  let marked: Element | null = null
  const mark = (element: Element | null) => {
    if (marked === element) return
    marked?.removeAttribute('data-drop-over')
    element?.setAttribute('data-drop-over', '')
    marked = element
  }
  const leave = () => {
    mark(null)
    setOver(null)
  }
  const concerns = (event: DragEvent) => {
    // A picture of the page that is dragged about calls itself a file too.
    if (ownDrag || !event.dataTransfer?.types.includes('Files')) return false
    // Otherwise the browser would leave the page and open the file.
    event.preventDefault()
    if (!isZone(event.target) && !isDialogOpen()) return true
    leave()
    return false
  }
  const hover = (event: DragEvent) => {
    if (!concerns(event)) return
    event.dataTransfer!.dropEffect = 'copy'
    mark(elementOf(event.target)?.closest('[data-drop-folder]') ?? null)
    setOver(landing(event.target))
  }
  const drop = (event: DragEvent) => {
    const wanted = concerns(event)
    leave()
    if (wanted) dropped(event.dataTransfer!, landing(event.target))
  }
  const out = (event: DragEvent) => {
    if (event.relatedTarget === null) leave()
  }
  const begin = () => {
    ownDrag = true
  }
  const end = () => {
    ownDrag = false
    leave()
  }
  const listeners = {
    dragenter: hover,
    dragover: hover,
    dragleave: out,
    drop,
    dragstart: begin,
    dragend: end,
  }
  const entries = Object.entries(listeners) as [string, EventListener][]
  for (const [name, listener] of entries) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of entries) window.removeEventListener(name, listener)
  }
}

const elementOf = (target: EventTarget | null) => (target instanceof Element ? target : null)

const folderAt = (target: EventTarget | null) =>
  elementOf(target)?.closest('[data-drop-folder]')?.getAttribute('data-drop-folder') ?? null

const isZone = (target: EventTarget | null) => elementOf(target)?.closest('[data-drop-zone]') != null

const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
