/**
 * The owner of the session that this window shows. All data in memory belongs to this person: drafts,
 * uploads, answers, undo, running work. Therefore a new document is loaded when this person signs out, or
 * another person signs in in this browser. When the session expires, the page is kept: the same person can
 * sign in again in a dialog over it and continue.
 */

import { SIGNED_OUT_PAGES } from '../../../src/contract/service/web.ts'
import { PAGES } from './addresses.ts'
import { createListeners, createObservable } from './observable.ts'
import {
  LAST_ACCOUNT_KEY,
  lastAccountName,
  removeEntriesOfOthers,
  setLastAccountName,
  storageKeyOf,
} from './personal-storage.ts'
import { pressedKeysOf } from './pressed-keys.ts'
import { loginAddress } from './return-address.ts'

/** The name of the person whose session this window shows; null until the service has named one. */
export const sessionOwner = createObservable<string | null>(null)

/**
 * A key for `localStorage` or `sessionStorage` whose entry is removed when the owner signs out or another
 * person signs in.
 */
export const personalKey = (name: string) => storageKeyOf(sessionOwner.get() ?? lastAccountName() ?? '', name)

/** Whether the session of this page has ended. The page stays, with a dialog over it to sign in again. */
export const isSessionEnded = createObservable(false)

const signInListeners = createListeners()
/**
 * Calls the listener when the owner has signed in again, in this window or another one, after this window had
 * noticed the end of the session. The rights have not been fetched again at that time.
 */
export const onSignIn = signInListeners.subscribe

const renewalListeners = createListeners()
/**
 * Calls the listener when requests and uploads may be sent again: when the session had ended and the rights
 * have been fetched again. The listener is also called when the owner signs in again in another window before
 * this window has noticed that the session ended.
 */
export const onSessionRenewed = renewalListeners.subscribe

let isReplacingDocument = false
/** Whether the document is being replaced: no more requests are sent, and no more confirmations shown. */
export const isDocumentBeingReplaced = () => isReplacingDocument

function replaceDocument(address: string): void {
  isReplacingDocument = true
  removeEntriesOfOthers()
  // Hides the document, since the browser may keep it in its back/forward cache.
  document.documentElement.hidden = true
  location.replace(address)
}

/** Makes the signed-in person the owner of this window; if it has another owner, loads a new document. */
export function adoptOwner(accountName: string): void {
  if (lastAccountName() !== accountName) setLastAccountName(accountName)
  if (sessionOwner.get() !== null && sessionOwner.get() !== accountName) replaceDocument(PAGES.overview)
  else sessionOwner.set(accountName)
}

/**
 * Lets requests and uploads continue after the session had ended; does nothing if it has not. Called after
 * `adoptOwner`, when pages that the person may no longer see are removed and send no more requests.
 */
export function resumeSession(): void {
  if (isReplacingDocument || !isSessionEnded.get()) return
  isSessionEnded.set(false)
  renewalListeners.emit()
}

/**
 * Called after signing in on the login, set-up or invitation page: loads the document of the dashboard at
 * `address`. If another person signed in last, it loads the overview instead, because `address` may contain
 * folders of that person.
 */
export function startSession(accountName: string, address: string): void {
  const previousAccountName = lastAccountName()
  setLastAccountName(accountName)
  replaceDocument(
    previousAccountName === null || previousAccountName === accountName ? address : PAGES.overview,
  )
}

/** Called after signing in again in the dialog over a page. For another person, a new document is loaded. */
export function renewSession(accountName: string): void {
  setLastAccountName(accountName)
  if (sessionOwner.get() !== accountName) {
    replaceDocument(PAGES.overview)
    return
  }
  signInListeners.emit()
}

/**
 * Called after an answer with status 401: shows the login page or, if this window has an owner, the sign-in
 * dialog over the page. Does nothing on the sign-in pages, and while the document is being replaced.
 */
export function handleSessionEnd(): void {
  if (isReplacingDocument || SIGNED_OUT_PAGES.includes(location.pathname)) return
  if (sessionOwner.get() === null) replaceDocument(loginAddress())
  else isSessionEnded.set(true)
}

/**
 * Loads the login page, and removes what this browser stores for the owner. Called after the user has logged
 * out: the service has ended the session.
 */
export function signOut(): void {
  setLastAccountName(null)
  replaceDocument(PAGES.login)
}

/**
 * Called before requests. Returns whether the owner is still the person who signed in last, so that the
 * session cookie is theirs; true if there is no owner yet, false while the document is being replaced. If
 * another person has signed in or the owner has signed out in another window, this function replaces the
 * document and returns false.
 */
export function ensureOwnSession(): boolean {
  if (isReplacingDocument) return false
  const [windowOwner, currentAccountName] = [sessionOwner.get(), lastAccountName()]
  if (windowOwner === null || windowOwner === currentAccountName) return true
  replaceDocument(currentAccountName === null ? PAGES.login : PAGES.overview)
  return false
}

/**
 * Reacts to sign-ins and sign-outs in other windows. A window in the back/forward cache of the browser misses
 * these, so it is checked when it is shown again. Also blocks Escape while the sign-in dialog is open. Called
 * once, when the script starts.
 */
export function installSessionListeners(): void {
  window.addEventListener('storage', ({ key }) => {
    if ((key !== LAST_ACCOUNT_KEY && key !== null) || sessionOwner.get() === null || !ensureOwnSession())
      return
    if (isSessionEnded.get()) signInListeners.emit()
    else renewalListeners.emit()
  })
  // While the sign-in dialog is open, Escape is blocked: it would close the dialogs of the page below, with
  // what was typed in them.
  const blockEscape = (event: KeyboardEvent) => {
    if (isSessionEnded.get() && pressedKeysOf(event) === 'Escape') event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', blockEscape, { capture: true })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && (isReplacingDocument || !ensureOwnSession())) location.reload()
  })
}
