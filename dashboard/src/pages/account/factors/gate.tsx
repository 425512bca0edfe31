/** Replaces all pages for an account that needs a second factor but has none; the user sets one up here. */
import { Button, Divider, Stack } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { post } from '../../../api/client.ts'
import { useGet } from '../../../api/use-get.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { signOut } from '../../../state/session.ts'
import { useDialog } from '../../../ui/forms/dialog.tsx'
import { SignInLayout } from '../../../ui/native/sign-in-layout.tsx'
import { AddPasskeyDialog } from './passkey-dialogs.tsx'
import { TotpSetup } from './totp-setup.tsx'
import { words } from './words.ts'

/**
 * `onBusy(true)` is called when the user begins to set up an authenticator app. The gate must then stay until
 * `onBusy(false)`, although the account has the factor as soon as the first code is confirmed: the gate still
 * has to show the emergency codes.
 */
export default function FactorGate({ onBusy }: { onBusy(isBusy: boolean): void }) {
  const w = useWords(words)
  const refresh = useRefresh()
  const { data: setup } = useGet('einrichtung')
  const [isSettingUpApp, setSettingUpApp] = useState(false)
  const passkeyDialog = useDialog()
  const canAddPasskey = setup?.anmeldung.passkey === true && browserSupportsWebAuthn()
  return (
    <SignInLayout title={w.required} description={w.requiredHint}>
      {isSettingUpApp ? (
        <TotpSetup onDone={() => void refresh('ich').then(() => onBusy(false))} />
      ) : (
        <Stack gap="md">
          <Button
            onClick={() => {
              onBusy(true)
              setSettingUpApp(true)
            }}
          >
            {w.setUp}
          </Button>
          {canAddPasskey && (
            <>
              <Divider label={w.orPasskey} />
              <Button variant="default" onClick={() => passkeyDialog.open(true)}>
                {w.addPasskey}
              </Button>
            </>
          )}
        </Stack>
      )}
      <Button variant="subtle" color="gray" onClick={() => void post('logout').then(signOut)}>
        {w.signOut}
      </Button>
      <AddPasskeyDialog opened={passkeyDialog.opened} onClose={passkeyDialog.onClose} />
    </SignInLayout>
  )
}
