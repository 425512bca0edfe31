/** The code in the link that opened the page; empty if there is none. */
import { useSyncExternalStore } from 'react'
import { codeOfLink } from '../../../src/contract/accounts/setup-link.ts'

/** Pasting another link into the same tab does not reload the page, but changes the code. */
export const useCodeOfLink = () => codeOfLink(useSyncExternalStore(onFragment, () => location.hash))

function onFragment(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
