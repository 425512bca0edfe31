import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../language/language.tsx'
import { words } from '../words.ts'
import { Dialog } from './dialog.tsx'
import {
  type FieldTexts,
  Form,
  type FormProps,
  type TextForm,
  type TextFormOptions,
  useTextForm,
} from './form.tsx'

export interface FormDialogProps<Values extends FieldTexts, Answer>
  extends Pick<FormProps, 'submit' | 'danger' | 'gap'>,
    Partial<TextFormOptions<Values, Answer>>,
    Pick<ModalProps, 'size'> {
  opened?: boolean
  title: ReactNode
  onClose(): void
  send(values: Values): Promise<Answer>
  /** Whether the submit button is disabled, without a message that says why. */
  isLocked?(values: Values): boolean
  children: ReactNode | ((form: TextForm<Values, Answer>) => ReactNode)
}

/** A form in a dialog. Input and error are reset when the dialog is closed. */
export function FormDialog<Values extends FieldTexts, Answer>(props: FormDialogProps<Values, Answer>) {
  const { opened = true, title, size = 'md', onClose } = props
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={size}>
      <DialogForm {...props} />
    </Dialog>
  )
}

function DialogForm<Values extends FieldTexts, Answer>(props: FormDialogProps<Values, Answer>) {
  const { initialValues = {} as Values, isLocked, onClose, children, submit, danger, gap } = props
  const w = useWords(words)
  const textForm = useTextForm({ ...props, initialValues })
  return (
    <Form
      {...textForm.form}
      submit={submit}
      {...(danger && { danger })}
      {...(gap && { gap })}
      disabled={isLocked?.(textForm.values) ?? false}
      onCancel={onClose}
      // Once the request has succeeded, the cancel button is labelled „Schließen“: nothing can be cancelled
      // any more, even if part of the request was refused.
      {...(textForm.submission.isSuccess && { cancel: w.close })}
    >
      {typeof children === 'function' ? children(textForm) : children}
    </Form>
  )
}
