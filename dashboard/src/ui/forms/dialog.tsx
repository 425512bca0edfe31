/**
 * A modal dialog whose close button has an accessible name. The focus starts on the element with
 * `data-autofocus`, or else on the first field, or else on a button or link.
 */
import { Modal, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { words } from '../words.ts'
import classes from './dialog.module.css'

/**
 * The state of a dialog. Its subject, such as the item to delete, is passed to `open` and kept while the
 * dialog fades out.
 */
export function useDialog<Subject = true>() {
  const [{ opened, subject }, setDialogState] = useState<{ opened: boolean; subject: Subject | null }>({
    opened: false,
    subject: null,
  })
  return {
    opened,
    subject,
    open: (newSubject: Subject) => setDialogState({ opened: true, subject: newSubject }),
    onClose: () => setDialogState(current => ({ ...current, opened: false })),
  }
}

export type DialogState<Subject> = ReturnType<typeof useDialog<Subject>>

/**
 * Selectors of the elements that may get the focus when the dialog opens, in order of preference. The first
 * one that matches is marked for Mantine, which would otherwise focus the close button.
 */
const FOCUS_SELECTORS = [
  '[data-autofocus]',
  'input:not(:disabled), textarea, select',
  'button[type="submit"]:not(:disabled)',
  'button:not(:disabled), a[href]',
]

function markFocusTarget(body: HTMLElement | null): void {
  const focusTarget = FOCUS_SELECTORS.map(selector => body?.querySelector(selector)).find(Boolean) ?? body
  focusTarget?.setAttribute('data-autofocus', '')
}

export function Dialog({ children, ...props }: ModalProps) {
  const w = useWords(words)
  return (
    <Modal closeButtonProps={{ 'aria-label': w.close }} {...props}>
      <div ref={markFocusTarget} tabIndex={-1} className={classes.body}>
        {children}
      </div>
    </Modal>
  )
}
