/**
 * The shell in `index.html`: an outline of rail, header and skeleton, painted before any script has arrived.
 * It is removed when there is something to show in its place.
 */
import { useLayoutEffect } from 'react'

/**
 * In `index.html` the style sheets are linked after the shell, so that it is painted without waiting for
 * them. This moves them to the head before the first render, because the styles of a page that is fetched
 * later are added to the head and must come after them. Resolves when they have loaded.
 */
export async function moveStyles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('body > link[rel="stylesheet"]')]
  const stylesLoaded = links.map(
    link =>
      new Promise(done => {
        link.onload = link.onerror = done
      }),
  )
  document.head.append(...links)
  await Promise.all(stylesLoaded)
}

export function useShellRemoved(): void {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), [])
}

/** `useShellRemoved` as a component, for JSX that is shown only under a condition. */
export function ShellRemoved() {
  useShellRemoved()
  return null
}
