/** The last value that was there: a dialog that is closing still shows what it was about. */
import { useRef } from 'react'

export function useLast<T>(value: T | null): T | null {
  const last = useRef(value)
  if (value !== null) last.current = value
  return last.current
}
