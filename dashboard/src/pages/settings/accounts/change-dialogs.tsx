/**
 * The dialog that changes the role and folders of an account, and the one that sets a new password. Both
 * changes end the sessions of the account.
 */
import type { AccountAnswer } from '../../../../../src/contract/accounts/session.ts'
import { patch } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { DimmedText } from '../../../ui/dimmed-text.tsx'
import { NewPasswordField, useAccountRules } from '../../../ui/forms/account-fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { parseRights, rightsTextsOf } from './rights.ts'
import { RightsFields } from './rights-fields.tsx'
import { useFolderRule } from './use-folder-rule.ts'
import { words } from './words.ts'

interface ChangeDialogProps {
  account: AccountAnswer
  isOwn: boolean
  opened: boolean
  onClose(): void
}

export function RightsDialog({ account, isOwn, opened, onClose }: ChangeDialogProps) {
  const w = useWords(words)
  const onChanged = useFinishChange(onClose)
  const checkFolders = useFolderRule()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.rightsOf(account.benutzer)}
      submit={w.save}
      size="lg"
      initialValues={rightsTextsOf(account)}
      check={checkFolders}
      send={rightsTexts => patch(`benutzer/${account.id}`, { body: parseRights(rightsTexts) })}
      onSent={() => onChanged(w.rightsChanged(account.benutzer))}
    >
      {({ values, set, field }) => (
        <>
          <RightsFields values={values} set={set} error={field('ordner').error} />
          <DimmedText>{isOwn ? w.endsOwnSessions : w.endsSessions}</DimmedText>
        </>
      )}
    </FormDialog>
  )
}

export function PasswordDialog({ account: { id, benutzer }, isOwn, opened, onClose }: ChangeDialogProps) {
  const w = useWords(words)
  const onChanged = useFinishChange(onClose)
  const { checkPassword } = useAccountRules()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.passwordOf(benutzer)}
      submit={w.setPassword}
      initialValues={{ passwort: '' }}
      check={({ passwort }) => ({ passwort: checkPassword(passwort) })}
      send={({ passwort }) => patch(`benutzer/${id}`, { body: { passwort } })}
      onSent={() => onChanged(w.passwordSet(benutzer))}
    >
      {({ field }) => (
        <>
          <NewPasswordField data-autofocus {...field('passwort')} />
          <DimmedText>{isOwn ? w.endsOwnSessions : w.endsSessions}</DimmedText>
        </>
      )}
    </FormDialog>
  )
}

/**
 * Returns a function to call after a change: it shows the message, closes the dialog and refetches
 * everything, because the session of this window may have ended.
 */
function useFinishChange(onClose: () => void) {
  const notify = useNotify()
  const refresh = useRefresh()
  return (message: string) => {
    notify.showSuccess(message)
    onClose()
    void refresh()
  }
}
