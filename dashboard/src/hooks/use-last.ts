/** The last value that was not null: a dialog that fades away still shows its subject. */
import { useRef } from 'react'

export function useLast<T>(value: T | null): T | null {
  const last = useRef(value)
  if (value !== null) last.current = value
  return last.current
}
