/**
 * A dialog that asks for confirmation before an action that is risky or cannot be undone, and explains what
 * it does.
 */
import type { ReactNode } from 'react'
import { useRefresh } from '../../api/use-refresh.ts'
import { useNotify } from '../notify.tsx'
import { FormDialog } from './form-dialog.tsx'

export interface ConfirmDialogProps {
  opened: boolean
  onClose(): void
  title: string
  /** Says what the action removes or risks. */
  children: ReactNode
  /** The verb on the button: „Leeren“, „Widerrufen“. */
  confirmLabel: string
  /**
   * Called when the user confirms. If it rejects, the dialog stays open and shows the error; otherwise it
   * closes.
   */
  onConfirm(): Promise<unknown> | unknown
  /** The text of a notice that is shown after `onConfirm` has succeeded. */
  successMessage?: string
  /** Queries to refetch after `onConfirm` has succeeded, by the first part of their key. */
  refresh?: readonly string[]
}

/** Used with `useDialog`: `<ConfirmDialog {...dialog} title=… />`. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, children, confirmLabel, onConfirm, successMessage, refresh } = props
  const notify = useNotify()
  const refetch = useRefresh()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      danger
      submit={confirmLabel}
      send={async () => {
        await onConfirm()
        if (successMessage !== undefined) notify.showSuccess(successMessage)
        if (refresh) await refetch(...refresh)
      }}
      onSent={onClose}
    >
      <div>{children}</div>
    </FormDialog>
  )
}
