/**
 * The layout of a form (fields, error and buttons), and the state of a form with text fields. A form in a
 * dialog is in `form-dialog.tsx`.
 */
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../error-notice.tsx'
import { Button } from '../native/button.tsx'
import { type Gap, Stack } from '../native/layout.tsx'
import { words } from '../words.ts'
import { DialogButtons } from './dialog-buttons.tsx'
import { useSending } from './use-sending.ts'

export interface FormProps {
  children: ReactNode
  /** The label of the submit button, a verb: „Leeren“, „Umbenennen“. */
  submit: string
  onSubmit(): void
  isBusy: boolean
  /** Shown above the buttons; omitted by a form that shows its error beside a field. */
  error?: Error | null
  disabled?: boolean
  /**
   * Whether submitting destroys something. The submit button is then red and, in a dialog, the focus starts
   * on the cancel button.
   */
  danger?: boolean
  cancel?: string
  /**
   * Called by the cancel button. If it is missing, the submit button is the only one and as wide as the form.
   */
  onCancel?: () => void
  gap?: Gap
}

export function Form(props: FormProps) {
  const { children, submit, onSubmit, isBusy, error, disabled = false, danger = false, gap = 'md' } = props
  const { onCancel } = props
  const w = useWords(words)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const submitButton = (
    <Button type="submit" isBusy={isBusy} disabled={disabled} {...(danger && { variant: 'danger' })}>
      {submit}
    </Button>
  )
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap={gap}>
        {children}
        <ErrorNotice error={error} />
        {onCancel ? (
          <DialogButtons>
            <Button variant="default" onClick={onCancel} {...(danger && { 'data-autofocus': true })}>
              {props.cancel ?? w.cancel}
            </Button>
            {submitButton}
          </DialogButtons>
        ) : (
          submitButton
        )}
      </Stack>
    </form>
  )
}

/** The texts of the fields, by name. */
export type FieldTexts = Readonly<Record<string, string>>

export interface TextFormOptions<Values extends FieldTexts, Answer> {
  /** The initial texts of the fields, by field name. */
  initialValues: Values
  /** Returns sentences that are shown beside invalid fields after the first attempt to submit. */
  check?(values: Values): { [Name in keyof Values]?: string | false }
  send(values: Values): Promise<Answer>
  onSent?(answer: Answer): unknown
}

export type TextForm<Values extends FieldTexts, Answer> = ReturnType<typeof useTextForm<Values, Answer>>

/**
 * The state of text fields and of their submission: `const { field, form } = useTextForm({ initialValues: {
 * name: '' }, send })`.
 */
export function useTextForm<Values extends FieldTexts, Answer>(options: TextFormOptions<Values, Answer>) {
  const { initialValues, check, send, onSent } = options
  const [values, setValues] = useState(initialValues)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const submission = useSending(() => send(values), onSent)
  const problems: { [Name in keyof Values]?: string | false } = check?.(values) ?? {}
  const set = (changes: Partial<Values>) => setValues(previousValues => ({ ...previousValues, ...changes }))
  return {
    values,
    set,
    submission,
    /** Props of a text field: `<TextField {...field('name')} />`. */
    field: (name: keyof Values & string) => ({
      value: values[name],
      error: wasSubmitted && problems[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set({ [name]: event.currentTarget.value } as Partial<Values>),
    }),
    /** Props of the form: `<Form {...form} submit={w.save}>`. */
    form: {
      isBusy: submission.isPending,
      error: submission.error,
      onSubmit() {
        setWasSubmitted(true)
        if (!Object.values(problems).some(Boolean)) submission.start()
      },
    },
  }
}
