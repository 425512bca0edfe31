/** Changing one's own password. */
import { PasswordInput } from '@mantine/core'
import { PASSWORD_MIN } from '../../../src/contract/values/limits.ts'
import { post } from '../api/client.ts'
import { useWords } from '../language/language.tsx'
import { NewPasswordField, useAccountRules } from '../ui/forms/account-fields.tsx'
import { FormDialog } from '../ui/forms/form.tsx'
import { useNotify } from '../ui/notify.tsx'
import { words } from './words.ts'

export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const w = useWords(words)
  const notify = useNotify()
  const { password } = useAccountRules()
  return (
    <FormDialog
      {...{ opened, onClose }}
      title={w.changePassword}
      submit={w.changePassword}
      start={{ alt: '', neu: '' }}
      check={({ neu }) => ({ neu: password(neu) })}
      send={body => post('passwort', { body })}
      onSent={() => {
        notify.done(w.passwordChanged)
        onClose()
      }}
    >
      {({ field }) => (
        <>
          <PasswordInput
            label={w.passwordOld}
            autoComplete="current-password"
            data-autofocus
            {...field('alt')}
          />
          <NewPasswordField
            label={w.passwordNew}
            description={w.passwordRule(PASSWORD_MIN)}
            {...field('neu')}
          />
        </>
      )}
    </FormDialog>
  )
}
