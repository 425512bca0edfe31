/** Whether the service can be reached, as the last attempt showed. Requests and the event stream report here. */
import { useSyncExternalStore } from 'react'

let lost = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  if (lost === next) return
  lost = next
  for (const listener of listeners) listener()
}

export const markLost = () => set(true)
export const markOnline = () => set(false)

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isConnectionLost = () => lost

export const useConnectionLost = () => useSyncExternalStore(onConnectionChange, isConnectionLost)
