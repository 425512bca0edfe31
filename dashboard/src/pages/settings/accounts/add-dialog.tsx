/** The dialog that creates another account. */
import { USER_NAME_MAX_LENGTH } from '../../../../../src/contract/values/input-limits.ts'
import { post } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { NewPasswordField, UserNameField, useAccountRules } from '../../../ui/forms/account-fields.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { parseRights, rightsTextsOf } from './rights.ts'
import { RightsFields } from './rights-fields.tsx'
import { useFolderRule } from './use-folder-rule.ts'
import { words } from './words.ts'

export function AddAccountDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const { checkFilled, checkPassword } = useAccountRules()
  const checkFolders = useFolderRule()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={w.add}
      submit={w.add}
      size="lg"
      initialValues={{ benutzer: '', passwort: '', ...rightsTextsOf({ rolle: 'redaktion', ordner: null }) }}
      check={values => ({
        ...checkFolders(values),
        benutzer: checkFilled(values.benutzer),
        passwort: checkPassword(values.passwort),
      })}
      send={({ benutzer, passwort, ...rightsTexts }) =>
        post('benutzer', { body: { benutzer, passwort, ...parseRights(rightsTexts) } })
      }
      onSent={({ benutzer }) => {
        notify.showSuccess(w.added(benutzer))
        void refresh('benutzer', 'verwaltung')
        onClose()
      }}
    >
      {({ field, values, set }) => (
        <>
          <UserNameField
            autoComplete="off"
            maxLength={USER_NAME_MAX_LENGTH}
            data-autofocus
            {...field('benutzer')}
          />
          <NewPasswordField {...field('passwort')} />
          <RightsFields values={values} set={set} error={field('ordner').error} />
        </>
      )}
    </FormDialog>
  )
}
