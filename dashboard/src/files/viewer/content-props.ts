/** The props of the components that show a file in the viewer. */
import type { Ref } from 'react'
import type { FileAnswer } from '../types.ts'

/**
 * Handles keys for the shown picture or player. `handleKey` returns false if the key has no meaning there.
 */
export interface ContentKeyHandler {
  handleKey(keys: string): boolean
}

export interface ViewerContentProps {
  file: FileAnswer
  keyHandlerRef: Ref<ContentKeyHandler>
}
