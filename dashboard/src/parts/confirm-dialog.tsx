/** Asks before something that cannot be taken back, and says what is lost. */
import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWords } from '../language/language.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { words } from './words.ts'

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
  /** Not for destruction: the button has the accent colour. */
  harmless?: boolean
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, children, confirm, onConfirm, harmless = false } = props
  const w = useWords(words)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)

  const close = () => {
    setError(null)
    onClose()
  }
  const run = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      close()
    } catch (caught) {
      setError(caught as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': w.close }}>
      <Stack>
        <div>{children}</div>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {w.cancel}
          </Button>
          <Button {...(!harmless && { color: 'red.9' })} loading={busy} onClick={run}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
