/** Turns the errors with which a browser refuses to create or use a passkey into sentences. */
import { SentenceError } from '../api/error.ts'
import { useWords } from '../language/language.tsx'
import { defineWords, filled } from '../language/words.ts'

const words = defineWords({
  otherAddress: filled({
    de: 'Passkeys gehören zur öffentlichen Adresse; bitte das Dashboard dort öffnen: #',
    en: 'Passkeys belong to the public address; please open the dashboard there: #',
  }),
  alreadyThere: {
    de: 'Auf diesem Gerät liegt schon ein Passkey für dieses Konto.',
    en: 'This device already has a passkey for this account.',
  },
  dismissed: {
    de: 'Der Browser hat den Vorgang abgebrochen; bitte noch einmal versuchen.',
    en: 'The browser has cancelled; please try again.',
  },
})

/**
 * Whether the error means that the browser’s passkey dialog ended without a passkey: usually it was closed by
 * the user, by a time-out or by another passkey request.
 */
export const isPasskeyDismissal = (error: Error) => ['AbortError', 'NotAllowedError'].includes(error.name)

/**
 * Returns a function that turns an error of the browser into one with a sentence for the user, and returns
 * other errors unchanged. `host` is the host name to which passkeys belong. The names of the errors are those
 * of WebAuthn §5.1.3 and §5.1.4.
 */
export function usePasskeyError(): (error: Error, host: string | undefined) => Error {
  const w = useWords(words)
  return (error, host = '') => {
    if (error.name === 'SecurityError') return new SentenceError(w.otherAddress(host))
    if (error.name === 'InvalidStateError') return new SentenceError(w.alreadyThere)
    return isPasskeyDismissal(error) ? new SentenceError(w.dismissed) : error
  }
}
