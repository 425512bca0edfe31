/**
 * Asks before a page with unsaved input is left by a link, by closing the window or by reloading it. The
 * router has no such feature, so clicks on links are intercepted before the router handles them. The back
 * button is not intercepted, so a page that uses this must keep its input until the user returns.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { isDocumentBeingReplaced } from '../state/session.ts'

/** `discard` is called when the user confirms leaving the page by a link. */
export function useLeaveGuard(hasUnsavedInput: boolean, discard: () => void) {
  const [leaveAddress, setLeaveAddress] = useState<string | null>(null)

  const interceptLink = useEffectEvent((event: MouseEvent) => {
    const address = clickedLinkAddress(event)
    if (address === null) return
    event.preventDefault()
    event.stopPropagation()
    setLeaveAddress(address)
  })

  useCloseGuard(hasUnsavedInput)
  useEffect(() => {
    if (!hasUnsavedInput) return
    document.addEventListener('click', interceptLink, true)
    return () => document.removeEventListener('click', interceptLink, true)
  }, [hasUnsavedInput])

  return {
    /** Whether the page must ask now whether to leave. */
    isAsking: leaveAddress !== null,
    stay: () => setLeaveAddress(null),
    leave() {
      if (leaveAddress === null) return
      const { pathname, search, hash } = new URL(leaveAddress, location.href)
      discard()
      setLeaveAddress(null)
      navigate(pathname + search + hash)
    },
  }
}

/**
 * Lets the browser ask before a window with unsaved input is closed or reloaded, unless the dashboard itself
 * is replacing the document, for example after signing in as another person.
 */
export function useCloseGuard(hasUnsavedInput: boolean): void {
  useEffect(() => {
    if (!hasUnsavedInput) return
    const askBeforeClose = (event: BeforeUnloadEvent) => {
      if (!isDocumentBeingReplaced()) event.preventDefault()
    }
    addEventListener('beforeunload', askBeforeClose)
    return () => removeEventListener('beforeunload', askBeforeClose)
  }, [hasUnsavedInput])
}

/**
 * The address that a click would open in place of the current page, if it is another page of this origin;
 * null for all other clicks.
 */
function clickedLinkAddress(event: MouseEvent): string | null {
  const { button, ctrlKey, metaKey, shiftKey, altKey, target } = event
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null
  const link = target instanceof Element ? target.closest('a') : null
  if (link?.target !== '' || link.hasAttribute('download')) return null
  return link.origin === location.origin && link.pathname !== location.pathname ? link.href : null
}
