/** What the browser remembers of the tree: which folders are open, and how wide it is. */
import { useCallback, useState } from 'react'

const OPEN_KEY = 'fundus-baum-offen'
const WIDTH_KEY = 'fundus-baum-breite'

export const WIDTH = { least: 176, most: 480, first: 240 } as const
/** Somebody who opened everything once need not carry it for ever. */
const REMEMBERED_MAX = 500

export function useOpenFolders() {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(read(OPEN_KEY)))
  const change = useCallback((edit: (now: Set<string>) => void) => {
    setOpen(now => {
      const next = new Set(now)
      edit(next)
      if (next.size === now.size && [...next].every(path => now.has(path))) return now
      localStorage.setItem(OPEN_KEY, JSON.stringify([...next].slice(-REMEMBERED_MAX)))
      return next
    })
  }, [])
  return [open, change] as const
}

function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(each => typeof each === 'string') : []
  } catch {
    return []
  }
}

export const within = (width: number) => Math.min(WIDTH.most, Math.max(WIDTH.least, Math.round(width)))

export function useTreeWidth() {
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(WIDTH_KEY)) || WIDTH.first))
  const keep = useCallback((next: number) => {
    setWidth(within(next))
    localStorage.setItem(WIDTH_KEY, String(within(next)))
  }, [])
  return [width, keep] as const
}
