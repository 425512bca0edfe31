/**
 * Signing in with a passkey: by a button and, in browsers that support it, from the suggestions of the name
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
import { CHALLENGE_MINUTES } from '../../../../src/contract/values/input-limits.ts'
import { post } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useSending } from '../../ui/forms/use-sending.ts'
import { Button } from '../../ui/native/button.tsx'
import { Stack } from '../../ui/native/layout.tsx'
import { isPasskeyDismissal, usePasskeyError } from '../../ui/passkey-errors.ts'
import { words } from './words.ts'

/**
 * Milliseconds after which a new challenge is fetched for the suggestions, before the current one expires.
 */
const RENEWAL_INTERVAL_MS = (CHALLENGE_MINUTES - 1) * 60_000

export default function PasskeySignIn({ onSignedIn }: { onSignedIn(userName: string): void }) {
  const w = useWords(words)
  const passkeyError = usePasskeyError()
  const signInRequest = useSending(
    async (isFromSuggestions: boolean) => {
      const optionsJSON = await post('login/passkey/optionen')
      const authentication = startAuthentication({ optionsJSON, useBrowserAutofill: isFromSuggestions })
      const antwort = await authentication.catch(error => {
        throw isPasskeyDismissal(error) ? error : passkeyError(error, optionsJSON.rpId)
      })
      return post('login/passkey', { body: { antwort } })
    },
    ({ benutzer }) => onSignedIn(benutzer),
  )
  const startSuggestions = useEffectEvent(() => {
    const isStartedByButton = signInRequest.isPending && !signInRequest.input
    if (!isStartedByButton) void signInRequest.start(true)
  })
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    let isUnmounted = false
    void browserSupportsWebAuthnAutofill().then(canSuggest => {
      if (!canSuggest || isUnmounted) return
      startSuggestions()
      timer = setInterval(() => startSuggestions(), RENEWAL_INTERVAL_MS)
    })
    return () => {
      isUnmounted = true
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [])
  if (!browserSupportsWebAuthn()) return null
  const { error, input: isFromSuggestions } = signInRequest
  // An error from the suggestions is shown only if the service reported it. Other errors, such as those of
  // the browser, are not shown: the user did not start the suggestions.
  const isErrorShown = error && (isFromSuggestions ? error instanceof ApiError : !isPasskeyDismissal(error))
  return (
    <Stack>
      <Button
        icon={<IconFingerprint size={16} aria-hidden />}
        variant="default"
        isBusy={signInRequest.isPending && !isFromSuggestions}
        onClick={() => signInRequest.start(false)}
      >
        {w.passkey}
      </Button>
      <ErrorNotice error={isErrorShown ? error : null} />
    </Stack>
  )
}
