/** The section for changing the password of the account. */
import { useState } from 'react'
import { PASSWORD_MIN_LENGTH } from '../../../../src/contract/values/input-limits.ts'
import { post } from '../../api/client.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useWords } from '../../language/language.tsx'
import { NewPasswordField, useAccountRules } from '../../ui/forms/account-fields.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { TitledBox } from '../../ui/lists/titled-box.tsx'
import { PasswordField } from '../../ui/native/field.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { accountWords } from '../../ui/words.ts'
import classes from './account.module.css'
import { words } from './words.ts'

export function PasswordSection() {
  const w = useWords(words)
  const { password: title } = useWords(accountWords)
  const notify = useNotify()
  const refresh = useRefresh()
  const [changeCount, setChangeCount] = useState(0)
  return (
    <TitledBox title={title}>
      <PasswordForm
        // The form is mounted anew after each change, so that it no longer contains the typed passwords.
        key={changeCount}
        onChanged={() => {
          setChangeCount(changeCount + 1)
          notify.showSuccess(w.passwordChanged)
          void refresh('sitzungen')
        }}
      />
    </TitledBox>
  )
}

function PasswordForm({ onChanged }: { onChanged(): void }) {
  const w = useWords(words)
  const { checkFilled, checkPassword } = useAccountRules()
  const { field, form } = useTextForm({
    initialValues: { alt: '', neu: '' },
    check: ({ alt, neu }) => ({ alt: checkFilled(alt), neu: checkPassword(neu) }),
    send: body => post('passwort', { body }),
    onSent: onChanged,
  })
  return (
    <div className={classes.form}>
      <Form {...form} submit={w.changePassword}>
        <PasswordField label={w.passwordOld} autoComplete="current-password" {...field('alt')} />
        <NewPasswordField
          label={w.passwordNew}
          description={w.passwordRule(PASSWORD_MIN_LENGTH)}
          {...field('neu')}
        />
      </Form>
    </div>
  )
}
