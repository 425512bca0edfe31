/** The section with the passkeys of the account: add, rename, remove. */

import { Button, Text } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import type { PasskeyAnswer } from '../../../../../src/contract/accounts/factors.ts'
import { del } from '../../../api/client.ts'
import { useGet } from '../../../api/use-get.ts'
import { useWords } from '../../../language/language.tsx'
import { IconButton } from '../../../ui/buttons.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { useDialog } from '../../../ui/forms/dialog.tsx'
import { TitledBox } from '../../../ui/lists/titled-box.tsx'
import { QueryResult } from '../../../ui/query-result.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { RowsSkeleton } from '../../../ui/skeletons.tsx'
import classes from '../account.module.css'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import { words } from './words.ts'

export function PasskeysSection() {
  const w = useWords(words)
  const { data: setup } = useGet('einrichtung')
  const query = useGet('passkeys')
  const addDialog = useDialog()
  const canAddPasskey = setup?.anmeldung.passkey === true && browserSupportsWebAuthn()
  return (
    <TitledBox
      title={w.passkeys}
      cornerContent={
        canAddPasskey && (
          <Button variant="default" onClick={() => addDialog.open(true)}>
            {w.addPasskey}
          </Button>
        )
      }
    >
      <DimmedText mb="xs">{w.passkeysHint}</DimmedText>
      {setup && !canAddPasskey && (
        <Text mb="xs">{setup.anmeldung.passkey ? w.unsupported : w.passkeysImpossible}</Text>
      )}
      <QueryResult query={query} skeleton={<RowsSkeleton rows={1} />}>
        {passkeys =>
          passkeys.length === 0 ? (
            <DimmedText>{w.noPasskeys}</DimmedText>
          ) : (
            <ul className={classes.rows} aria-label={w.passkeys}>
              {passkeys.map(passkey => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <AddPasskeyDialog opened={addDialog.opened} onClose={addDialog.onClose} />
    </TitledBox>
  )
}

function PasskeyRow({ passkey: { id, name, erstellt_am, zuletzt_benutzt } }: { passkey: PasskeyAnswer }) {
  const w = useWords(words)
  const renameDialog = useDialog()
  const removalDialog = useDialog()
  return (
    <li className={classes.row}>
      <IconFingerprint size={24} stroke={1.5} aria-hidden />
      <div className={classes.facts}>
        <Text fw={600}>{name}</Text>
        <DimmedText>
          {w.created} <RelativeTime timestamp={erstellt_am} /> ·{' '}
          {zuletzt_benutzt === null ? (
            w.neverUsed
          ) : (
            <>
              {w.lastUsed} <RelativeTime timestamp={zuletzt_benutzt} />
            </>
          )}
        </DimmedText>
      </div>
      <div>
        <IconButton icon={IconPencil} label={w.renameOne(name)} onClick={() => renameDialog.open(true)} />
        <IconButton icon={IconTrash} label={w.removeOne(name)} onClick={() => removalDialog.open(true)} />
      </div>
      <RenamePasskeyDialog id={id} name={name} opened={renameDialog.opened} onClose={renameDialog.onClose} />
      <ConfirmDialog
        {...removalDialog}
        title={w.removePasskeyTitle(name)}
        confirmLabel={w.remove}
        onConfirm={() => del(`passkeys/${id}`)}
        successMessage={w.passkeyRemoved}
        refresh={['passkeys', 'ich']}
      >
        {w.removePasskeyHint}
      </ConfirmDialog>
    </li>
  )
}
