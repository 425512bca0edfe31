/** A modal dialog whose close button has a name. */
import { Modal, type ModalProps } from '@mantine/core'
import { useWords } from '../language/language.tsx'
import { words } from './words.ts'

export function Dialog(props: ModalProps) {
  const w = useWords(words)
  return <Modal closeButtonProps={{ 'aria-label': w.close }} {...props} />
}
