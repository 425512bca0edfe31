/** A part of the page that takes dropped files itself, in place of the overlay for uploads. */
import { type DragEvent, useState } from 'react'
import { type Candidate, fromTransfer } from '../../uploads/candidates.ts'

export function useDropZone(onFiles: (candidates: readonly Candidate[]) => void) {
  const [over, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    over,
    handlers: {
      'data-drop-zone': '',
      'data-over': over || undefined,
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        // A zone within a zone is the nearer one.
        event.stopPropagation()
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      },
      onDragLeave(event: DragEvent<HTMLElement>) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop(event: DragEvent) {
        setOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        void fromTransfer(event.dataTransfer).then(onFiles)
      },
    },
  }
}
