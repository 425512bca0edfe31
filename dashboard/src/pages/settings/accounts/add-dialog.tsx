/** Making another account. */
import { NAME_MAX } from '../../../../../src/contract/values/limits.ts'
import { post } from '../../../api/client.ts'
import { useRefresh } from '../../../api/use-refresh.ts'
import { useWords } from '../../../language/language.tsx'
import { NewPasswordField, UserNameField, useAccountRules } from '../../../ui/forms/account-fields.tsx'
import { FormDialog } from '../../../ui/forms/form.tsx'
import { useNotify } from '../../../ui/notify.tsx'
import { words } from './words.ts'

export function AddDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  const notify = useNotify()
  const refresh = useRefresh()
  const { filled, password } = useAccountRules()
  return (
    <FormDialog
      {...{ opened, onClose }}
      title={w.add}
      submit={w.add}
      start={{ benutzer: '', passwort: '' }}
      check={({ benutzer, passwort }) => ({ benutzer: filled(benutzer), passwort: password(passwort) })}
      send={body => post('benutzer', { body })}
      onSent={({ benutzer }) => {
        notify.done(w.added(benutzer))
        void refresh('benutzer', 'verwaltung')
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <UserNameField autoComplete="off" maxLength={NAME_MAX} data-autofocus {...field('benutzer')} />
          <NewPasswordField {...field('passwort')} />
        </>
      )}
    </FormDialog>
  )
}
