/** Tells whoever listens in this process. */
import type { ServiceEvent } from '../../contract/events.ts'

export type Listener = (event: ServiceEvent) => void

export interface Bus {
  /** For what only this process knows, such as how far its backup has come. */
  publish(event: ServiceEvent): void
  /** Answers how to stop listening; calling that twice does nothing. */
  subscribe(listener: Listener): () => void
}

export function createBus(): Bus {
  const listeners = new Set<Listener>()
  return {
    publish(event) {
      // A copy: who is told may stop listening.
      for (const listener of [...listeners]) listener(event)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
