/** What the browser says when it does not create or use a passkey, as a sentence. */
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

/** Whether the person, or another request for a passkey, has ended the browser's dialog. */
export const isDismissed = (error: Error) => ['AbortError', 'NotAllowedError'].includes(error.name)

/** `host`: the one that passkeys belong to. Names of errors: WebAuthn §5.1.3 and §5.1.4. */
export function usePasskeyError(): (error: Error, host: string | undefined) => Error {
  const w = useWords(words)
  return (error, host = '') => {
    if (error.name === 'SecurityError') return new SentenceError(w.otherAddress(host))
    if (error.name === 'InvalidStateError') return new SentenceError(w.alreadyThere)
    return isDismissed(error) ? new SentenceError(w.dismissed) : error
  }
}
