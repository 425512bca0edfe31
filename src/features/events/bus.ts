/** Hands events to every listener in this process. */
import type { ServiceEvent } from '../../contract/events.ts'

export type Listener = (event: ServiceEvent) => void

export interface Bus {
  publish(event: ServiceEvent): void
  /** Answers a function that ends the subscription; calling the function a second time does nothing. */
  subscribe(listener: Listener): () => void
}

export function createBus(): Bus {
  const listeners = new Set<Listener>()
  return {
    publish(event) {
      // Iterates over a copy, because a listener may end its subscription while it is called.
      for (const listener of [...listeners]) listener(event)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
