/** State that survives a reload of the window, and ends with it. What does not fit into the storage is kept by the page. */
import { useEffect, useState } from 'react'

export function useSessionState<T extends object>(
  key: string,
  initial: T,
): [T, (change: Partial<T>) => void] {
  const [state, setState] = useState<T>(() => ({ ...initial, ...stored(key) }))
  useEffect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(state))
    } catch {
      sessionStorage.removeItem(key)
    }
  }, [key, state])
  return [state, change => setState(before => ({ ...before, ...change }))]
}

function stored(key: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as object
  } catch {
    return {}
  }
}
