/** What the browser remembers of the tree: which folders are open, and how wide it is. */
import { useLocalStorage } from '@mantine/hooks'
import { useCallback, useMemo } from 'react'

const AT_ONCE = { getInitialValueInEffect: false }

export const WIDTH = { least: 176, most: 480, first: 240 } as const
/** Somebody who opened everything once need not carry it for ever. */
const REMEMBERED_MAX = 500

export function useOpenFolders() {
  const [stored, store] = useLocalStorage<string[]>({
    ...AT_ONCE,
    key: 'fundus-baum-offen',
    defaultValue: [],
  })
  const open: ReadonlySet<string> = useMemo(() => new Set(stored), [stored])
  const change = useCallback(
    (edit: (now: Set<string>) => void) =>
      store(now => {
        const next = new Set(now)
        edit(next)
        const isSame = next.size === now.length && now.every(path => next.has(path))
        return isSame ? now : [...next].slice(-REMEMBERED_MAX)
      }),
    [store],
  )
  return [open, change] as const
}

export const within = (width: number) => Math.min(WIDTH.most, Math.max(WIDTH.least, Math.round(width)))

export function useTreeWidth() {
  const [width, store] = useLocalStorage({
    ...AT_ONCE,
    key: 'fundus-baum-breite',
    defaultValue: WIDTH.first as number,
  })
  return [within(width), (next: number) => store(within(next))] as const
}
