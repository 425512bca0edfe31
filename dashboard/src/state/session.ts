/**
 * Whose session this window shows. Everything in memory belongs to this person: drafts, uploads, answers,
 * undo, running work. So it lives with the document: signing out, and another person in this browser, reload
 * the page. An expired session keeps the page, so that the same person continues after signing in again in a
 * dialog over it.
 */

import { ENTRANCE_PAGES } from '../../../src/contract/service/web.ts'
import { keysOf } from '../ui/keys/keys.ts'
import { PAGES } from './addresses.ts'
import { createListeners, createObservable } from './observable.ts'
import { forgetOthers, keyOf, lastPerson, PERSON_KEY, setLastPerson } from './personal.ts'
import { loginAddress } from './return-address.ts'

/** Null until somebody has signed in. */
export const owner = createObservable<string | null>(null)

/** A key in `localStorage` or `sessionStorage` that is removed with the session. */
export const personalKey = (name: string) => keyOf(owner.get() ?? lastPerson() ?? '', name)

/** The session of this page is over. The page stays, with a dialog to sign in again over it. */
export const sessionEnded = createObservable(false)

const signInListeners = createListeners()
/** The owner has signed in again, here or in another window; the rights are not yet known. */
export const onSignIn = signInListeners.subscribe

const renewalListeners = createListeners()
/** The owner goes on, with known rights: requests and uploads may be sent again. */
export const onRenewed = renewalListeners.subscribe

let isLeaving = false
/** The document is being replaced: no more requests and confirmations. */
export const isGone = () => isLeaving

function leave(address: string): void {
  isLeaving = true
  forgetOthers()
  // Also hides the document that the browser may keep for its back button.
  document.documentElement.hidden = true
  location.replace(address)
}

/** Called with the name of the signed-in person, once the service has returned it. */
export function adopt(person: string): void {
  if (lastPerson() !== person) setLastPerson(person)
  if (owner.get() !== null && owner.get() !== person) leave(PAGES.overview)
  else owner.set(person)
}

/** Called after `adopt`, once what the person may no longer see is gone and requests nothing any more. */
export function resume(): void {
  if (isLeaving || !sessionEnded.get()) return
  sessionEnded.set(false)
  renewalListeners.tell()
}

/**
 * Called after signing in on a page of its own, which has none of the other pages' code. The return address
 * may contain folders of the previous person.
 */
export function begin(person: string, address: string): void {
  const before = lastPerson()
  setLastPerson(person)
  leave(before === null || before === person ? address : PAGES.overview)
}

/** Called after signing in again on the page whose session ended, which goes on if it is the same person. */
export function renew(person: string): void {
  setLastPerson(person)
  if (owner.get() !== person) {
    leave(PAGES.overview)
    return
  }
  signInListeners.tell()
}

/** Called after a 401: the user has to sign in first. */
export function noticeEnd(): void {
  if (isLeaving || ENTRANCE_PAGES.includes(location.pathname)) return
  if (owner.get() === null) leave(loginAddress())
  else sessionEnded.set(true)
}

/** Called when the service has ended the session on request. */
export function signOut(): void {
  setLastPerson(null)
  leave(PAGES.login)
}

/** Called before each request: false if somebody else has signed in, whose cookie the request would carry. */
export function isOwn(): boolean {
  if (isLeaving) return false
  const [mine, theirs] = [owner.get(), lastPerson()]
  if (mine === null || mine === theirs) return true
  leave(theirs === null ? PAGES.login : PAGES.overview)
  return false
}

/** Called once. A window that the browser suspended has missed notifications. */
export function watchOtherWindows(): void {
  window.addEventListener('storage', ({ key }) => {
    if ((key !== PERSON_KEY && key !== null) || owner.get() === null || !isOwn()) return
    if (sessionEnded.get()) signInListeners.tell()
    else renewalListeners.tell()
  })
  // The dialogs of the page would close with what was typed in them.
  const keepDialogs = (event: KeyboardEvent) => {
    if (sessionEnded.get() && keysOf(event) === 'Escape') event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', keepDialogs, { capture: true })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && (isLeaving || !isOwn())) location.reload()
  })
}
