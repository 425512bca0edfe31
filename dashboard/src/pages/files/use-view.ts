/** Grid or list: a habit of whoever sits here, not a part of what is shown; so the browser remembers it. */
import { useCallback, useState } from 'react'
import type { View } from './toolbar.tsx'

const STORAGE_KEY = 'fundus-ansicht'

export function useView() {
  const [view, setView] = useState<View>(() =>
    localStorage.getItem(STORAGE_KEY) === 'list' ? 'list' : 'grid',
  )
  const keep = useCallback((next: View) => {
    localStorage.setItem(STORAGE_KEY, next)
    setView(next)
  }, [])
  return [view, keep] as const
}
