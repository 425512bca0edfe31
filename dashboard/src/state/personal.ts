/**
 * What this browser keeps for a person beyond the document: names of folders, lists that were pasted. Each entry
 * carries the name of its owner, and goes when the owner signs out or another person signs in. Habits without content,
 * such as the language or the size of previews, belong to the browser instead (`hooks/use-stored.ts`).
 */

/** The person who signed in last in this browser, with the moment, so that each sign-in is a change other windows see. */
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

/** Removes what does not belong to the person who signed in last; `sessionStorage` is that of this window alone. */
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
