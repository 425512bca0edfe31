/**
 * What this browser stores for a person, such as folder names and pasted lists. The key of each entry
 * contains the name of its owner. An entry is removed when the owner signs out or another person signs in.
 * Preferences that reveal nothing, such as the language, are stored for everybody (`use-stored.ts`).
 */

/**
 * The key under which the person who signed in last is stored. The value includes the time, so that every
 * sign-in is a change that other windows notice.
 */
export const PERSON_KEY = 'fundus-person'

export function lastPerson(): string | null {
  const storedPerson = localStorage.getItem(PERSON_KEY)
  return storedPerson === null ? null : storedPerson.slice(storedPerson.indexOf(' ') + 1)
}

/** Stores who signed in last (null: nobody is signed in any more), and removes the entries of all others. */
export function setLastPerson(person: string | null): void {
  if (person === null) localStorage.removeItem(PERSON_KEY)
  else localStorage.setItem(PERSON_KEY, `${Date.now()} ${person}`)
  removeEntriesOfOthers()
}

/** Removes all entries but those of the last person, in `localStorage` and this window's `sessionStorage`. */
export function removeEntriesOfOthers(): void {
  const person = lastPerson()
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) {
      const isTheirs = person !== null && key.startsWith(prefixOf(person))
      if (key.startsWith(PREFIX) && !isTheirs) storage.removeItem(key)
    }
  }
}

export const storageKeyOf = (person: string, name: string) => `${prefixOf(person)}${name}`

const PREFIX = 'fundus:'
const prefixOf = (person: string) => `${PREFIX}${encodeURIComponent(person)}:`
