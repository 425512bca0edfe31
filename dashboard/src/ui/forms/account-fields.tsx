/** The fields for user name and new password, and the rules for them. */
import { PASSWORD_MIN_LENGTH } from '../../../../src/contract/values/input-limits.ts'
import { useWords } from '../../language/language.tsx'
import { type FieldProps, PasswordField, TextField } from '../native/field.tsx'
import { accountWords } from '../words.ts'

export function UserNameField(props: FieldProps) {
  const w = useWords(accountWords)
  return <TextField label={w.name} autoCapitalize="none" spellCheck={false} {...props} />
}

export function NewPasswordField(props: FieldProps) {
  const w = useWords(accountWords)
  return (
    <PasswordField
      label={w.password}
      description={w.passwordRule(PASSWORD_MIN_LENGTH)}
      autoComplete="new-password"
      {...props}
    />
  )
}

/**
 * Returns the rules for the fields. Each rule returns an error message if the entered text is invalid,
 * otherwise false.
 */
export function useAccountRules() {
  const w = useWords(accountWords)
  return {
    checkFilled: (text: string) => text.trim() === '' && w.missing,
    checkPassword: (text: string) =>
      [...text].length < PASSWORD_MIN_LENGTH && w.passwordRule(PASSWORD_MIN_LENGTH),
  }
}
