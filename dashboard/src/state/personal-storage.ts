/**
 * What this browser stores for a person, such as folder names and pasted lists. The key of each entry
 * contains the name of its owner. An entry is removed when the owner signs out or another person signs in.
 * Preferences that reveal nothing, such as the language, are stored for everybody (`use-stored.ts`).
 */

/**
 * The key under which the name of the person who signed in last is stored. The value includes the time, so
 * that every sign-in is a change that other windows notice.
 */
export const LAST_ACCOUNT_KEY = 'fundus-person'

export function lastAccountName(): string | null {
  const storedValue = localStorage.getItem(LAST_ACCOUNT_KEY)
  return storedValue === null ? null : storedValue.slice(storedValue.indexOf(' ') + 1)
}

/** Stores who signed in last (null: nobody is signed in any more), and removes the entries of all others. */
export function setLastAccountName(accountName: string | null): void {
  if (accountName === null) localStorage.removeItem(LAST_ACCOUNT_KEY)
  else localStorage.setItem(LAST_ACCOUNT_KEY, `${Date.now()} ${accountName}`)
  removeEntriesOfOthers()
}

/**
 * Removes what `localStorage` and this window’s `sessionStorage` contain for anybody but the person who
 * signed in last.
 */
export function removeEntriesOfOthers(): void {
  const accountName = lastAccountName()
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) {
      const isTheirs = accountName !== null && key.startsWith(keyPrefixOf(accountName))
      if (key.startsWith(KEY_PREFIX) && !isTheirs) storage.removeItem(key)
    }
  }
}

export const storageKeyOf = (accountName: string, name: string) => `${keyPrefixOf(accountName)}${name}`

const KEY_PREFIX = 'fundus:'
const keyPrefixOf = (accountName: string) => `${KEY_PREFIX}${encodeURIComponent(accountName)}:`
