/**
 * The shell in `index.html`: an outline of navigation, header and content, painted before any script has
 * arrived. It is removed when there is something to show in its place.
 */
import { useLayoutEffect } from 'react'

/**
 * Moves the style sheets to the head, and resolves when each has loaded or failed. In `index.html` they are
 * linked after the shell, so that the browser paints the shell without waiting for them. They are moved
 * before the first render, because the styles of pages fetched later are added to the head and must come
 * after them.
 */
export async function moveStyles(): Promise<void> {
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
