/** The fields for user name and new password, and the rules for them. */
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { PASSWORD_MIN } from '../../../../src/contract/values/limits.ts'
import { useWords } from '../../language/language.tsx'
import { accountWords } from '../words.ts'

export function UserNameField(props: TextInputProps) {
  const w = useWords(accountWords)
  return <TextInput label={w.name} autoCapitalize="none" spellCheck={false} {...props} />
}

export function NewPasswordField(props: PasswordInputProps) {
  const w = useWords(accountWords)
  return (
    <PasswordInput
      label={w.password}
      description={w.passwordRule(PASSWORD_MIN)}
      autoComplete="new-password"
      {...props}
    />
  )
}

export function useAccountRules() {
  const w = useWords(accountWords)
  return {
    filled: (text: string) => text.trim() === '' && w.missing,
    password: (text: string) => [...text].length < PASSWORD_MIN && w.passwordRule(PASSWORD_MIN),
  }
}
