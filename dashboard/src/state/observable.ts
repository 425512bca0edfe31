/** Listener sets and observable values. They are outside of React, so they outlive the components. */
import { useSyncExternalStore } from 'react'

/** A set of listeners: `emit` calls every listener that has not unsubscribed. */
export function createListeners<Args extends unknown[]>() {
  const listeners = new Set<(...args: Args) => void>()
  return {
    emit(...args: Args): void {
      for (const listener of listeners) listener(...args)
    },
    subscribe(listener: (...args: Args) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export interface Observable<T> {
  get(): T
  set(newValue: T): void
  subscribe(listener: () => void): () => void
}

export function createObservable<T>(initialValue: T): Observable<T> {
  let value = initialValue
  const { emit, subscribe } = createListeners()
  return {
    get: () => value,
    set(newValue) {
      if (Object.is(newValue, value)) return
      value = newValue
      emit()
    },
    subscribe,
  }
}

export const useObservable = <T>({ subscribe, get }: Pick<Observable<T>, 'subscribe' | 'get'>): T =>
  useSyncExternalStore(subscribe, get)
