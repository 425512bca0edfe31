/** Asks before something that cannot be taken back, and says what is lost. */
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormDialog } from './form.tsx'

export interface ConfirmDialogProps {
  opened: boolean
  onClose(): void
  title: string
  /** What is lost. */
  children: ReactNode
  /** The verb: „Leeren“, „Widerrufen“. */
  confirm: string
  /** The dialog stays open with the error when this fails, and closes when it is done. */
  onConfirm(): Promise<unknown> | unknown
}

/** Whether a question is asked: `<Button onClick={ask} />` and `<ConfirmDialog {...question} … />`. */
export function useQuestion() {
  const [opened, { open: ask, close: onClose }] = useDisclosure()
  return { ask, question: { opened, onClose } }
}

export function ConfirmDialog({ onClose, children, confirm, onConfirm, ...dialog }: ConfirmDialogProps) {
  const run = useMutation({ mutationFn: async () => onConfirm(), onSuccess: onClose })
  const close = () => {
    run.reset()
    onClose()
  }
  return (
    <FormDialog
      {...dialog}
      danger
      submit={confirm}
      onSubmit={run.mutate}
      isBusy={run.isPending}
      error={run.error}
      onClose={close}
    >
      <div>{children}</div>
    </FormDialog>
  )
}
