/**
 * What this browser stores for a person: folder names, pasted lists. Each entry has the name of its owner,
 * and is removed when the owner signs out or another person signs in. Preferences without content, such as
 * the language, belong to the browser instead (`hooks/use-stored.ts`).
 */

/** The last person who signed in, with the time, so that each sign-in is a change that other windows see. */
export const PERSON_KEY = 'fundus-person'

export function lastPerson(): string | null {
  const kept = localStorage.getItem(PERSON_KEY)
  return kept === null ? null : kept.slice(kept.indexOf(' ') + 1)
}

/** Null: nobody is signed in any more. */
export function setLastPerson(person: string | null): void {
  if (person === null) localStorage.removeItem(PERSON_KEY)
  else localStorage.setItem(PERSON_KEY, `${Date.now()} ${person}`)
  forgetOthers()
}

/** Removes what does not belong to the last person; `sessionStorage` is this window's alone. */
export function forgetOthers(): void {
  const person = lastPerson()
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) {
      const isTheirs = person !== null && key.startsWith(prefixOf(person))
      if (key.startsWith(PREFIX) && !isTheirs) storage.removeItem(key)
    }
  }
}

export const keyOf = (person: string, name: string) => `${prefixOf(person)}${name}`

const PREFIX = 'fundus:'
const prefixOf = (person: string) => `${PREFIX}${encodeURIComponent(person)}:`
