/**
 * Signing in with a passkey: by a button, and in browsers that support it, from the suggestions of the name
 * field (conditional UI).
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { CHALLENGE_MINUTES } from '../../../../src/contract/values/limits.ts'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useSending } from '../../ui/forms/use-sending.ts'
import { Button } from '../../ui/native/button.tsx'
import { Stack } from '../../ui/native/layout.tsx'
import { isDismissed, usePasskeyError } from '../../ui/passkey-errors.ts'
import { words } from './words.ts'

/** Milliseconds after which a new challenge is fetched for the suggestions. */
const RENEWED_AFTER = (CHALLENGE_MINUTES - 1) * 60_000

export default function PasskeySignIn({ onSignedIn }: { onSignedIn(person: string): void }) {
  const w = useWords(words)
  const passkeyError = usePasskeyError()
  const signing = useSending(
    async (fromSuggestions: boolean) => {
      const optionsJSON = await post('login/passkey/optionen')
      const asked = startAuthentication({ optionsJSON, useBrowserAutofill: fromSuggestions })
      const antwort = await asked.catch(error => {
        throw isDismissed(error) ? error : passkeyError(error, optionsJSON.rpId)
      })
      return post('login/passkey', { body: { antwort } })
    },
    ({ benutzer }) => onSignedIn(benutzer),
  )
  const suggest = useEffectEvent(() => void signing.start(true))
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    let isOver = false
    void browserSupportsWebAuthnAutofill().then(canSuggest => {
      if (!canSuggest || isOver) return
      suggest()
      timer = setInterval(() => suggest(), RENEWED_AFTER)
    })
    return () => {
      isOver = true
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [])
  if (!browserSupportsWebAuthn()) return null
  const { error, given: fromSuggestions } = signing
  // An error of the suggestions is shown only if it is that of the service: a browser that does not support
  // suggestions also reports one.
  const isShown = error && (fromSuggestions ? error instanceof ApiError : !isDismissed(error))
  return (
    <Stack>
      <Button
        icon={<IconFingerprint size={16} aria-hidden />}
        variant="default"
        isBusy={signing.isPending && !fromSuggestions}
        onClick={() => signing.start(false)}
      >
        {w.passkey}
      </Button>
      <ErrorNotice error={isShown ? error : null} />
    </Stack>
  )
}
