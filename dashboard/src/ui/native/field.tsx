/** Fields for text and for passwords: label, explanation, input, and the error below it. */
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { accountWords } from '../words.ts'
import classes from './field.module.css'

export interface FieldProps extends ComponentProps<'input'> {
  label?: string
  description?: string
  error?: string | false | undefined
}

export const TextField = (props: FieldProps) => <Field type="text" {...props} />

export function PasswordField(props: FieldProps) {
  const w = useWords(accountWords)
  const [isShown, setShown] = useState(false)
  const RevealIcon = isShown ? IconEyeOff : IconEye
  return (
    <Field {...props} type={isShown ? 'text' : 'password'}>
      {/* Outside the tab order. Pressing the button leaves the focus in the field. */}
      <button
        type="button"
        className={classes.reveal}
        tabIndex={-1}
        aria-label={w.showPassword}
        aria-pressed={isShown}
        onMouseDown={event => event.preventDefault()}
        onClick={() => setShown(!isShown)}
      >
        <RevealIcon size={20} stroke={1.5} aria-hidden />
      </button>
    </Field>
  )
}

function Field({
  label,
  description,
  error,
  children,
  ...inputProps
}: FieldProps & { children?: ReactNode }) {
  const id = useId()
  const [descriptionId, errorId] = [`${id}-description`, `${id}-error`]
  const describedBy = [error && errorId, description && descriptionId].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {description && <p id={descriptionId}>{description}</p>}
      <div className={classes.box}>
        <input
          id={id}
          aria-invalid={Boolean(error)}
          {...(describedBy && { 'aria-describedby': describedBy })}
          {...inputProps}
        />
        {children}
      </div>
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  )
}
