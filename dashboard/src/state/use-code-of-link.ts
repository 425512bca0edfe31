/** The code in the link that opened the page; empty if the link has none. */
import { useSyncExternalStore } from 'react'
import { codeOfLink } from '../../../src/contract/accounts/setup-link.ts'

/**
 * Follows the fragment of the address: pasting another link into the same tab changes the code without
 * reloading the page.
 */
export const useCodeOfLink = () => codeOfLink(useSyncExternalStore(subscribeToFragment, () => location.hash))

function subscribeToFragment(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
