/**
 * The shell in `index.html`: an outline of navigation, header and content, painted before any script has
 * arrived. It is removed when there is something to show in its place.
 */
import { useLayoutEffect } from 'react'

/**
 * Moves the style sheets of `index.html` to the head, and resolves when each has loaded or failed. In
 * `index.html` they are linked after the shell, so that the browser paints the shell without waiting for
 * them. Must be called before the first render: the styles of pages that are fetched later are added at the
 * end of the head, and must come after these.
 */
export async function moveStylesToHead(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('body > link[rel="stylesheet"]')]
  const loadPromises = links.map(
    link =>
      new Promise(resolve => {
        link.onload = link.onerror = resolve
      }),
  )
  document.head.append(...links)
  await Promise.all(loadPromises)
}

export function useRemoveShell(): void {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), [])
}

/** `useRemoveShell` as a component, for JSX that is shown only under a condition. */
export function RemoveShell() {
  useRemoveShell()
  return null
}
