/**
 * The outline in `index.html`: rail, header and skeleton, painted before any script has arrived. It is
 * removed when there is something to show in its place.
 */
import { useLayoutEffect } from 'react'

/**
 * The styles stand behind the shell, so that it need not wait for them. They move to the head before the
 * first render: those of a page that is fetched later are added there and must come after them.
 */
export async function moveStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('body > link[rel="stylesheet"]')]
  const loaded = links.map(
    link =>
      new Promise(done => {
        link.onload = link.onerror = done
      }),
  )
  document.head.append(...links)
  await Promise.all(loaded)
}

export function useShellRemoved(): void {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), [])
}

/** For places without a component of their own. */
export function ShellRemoved() {
  useShellRemoved()
  return null
}
