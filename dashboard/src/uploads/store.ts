/** What is being uploaded, for everyone who shows it: it goes on while pages change. */
import { useSyncExternalStore } from 'react'

export interface UploadProgress {
  /** Bytes. */
  done: number
  total: number
}

let progress: UploadProgress | null = null
const listeners = new Set<() => void>()

export function setUploadProgress(next: UploadProgress | null): void {
  progress = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Null while nothing is on its way. */
export const useUploadProgress = () => useSyncExternalStore(subscribe, () => progress)
