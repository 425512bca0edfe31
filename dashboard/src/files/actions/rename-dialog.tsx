/** Renames a file or folder, with a warning about addresses. The part before the extension is selected. */
import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useWords } from '../../language/language.tsx'
import { nameOf } from '../../state/paths.ts'
import { useSentence } from '../../ui/error-notice.tsx'
import { Dialog } from '../../ui/forms/dialog.tsx'
import { Form, useTextForm } from '../../ui/forms/form.tsx'
import { keysOf } from '../../ui/keys/keys.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { useFilesPage } from '../files-context.ts'
import { isFolder, oneOf, type Target } from '../target.ts'
import { actionWords } from '../words.ts'
import { useRetrievalSentences, useRetrievals } from './retrievals.ts'

interface RenameProps {
  /** A folder, or a single file. */
  target: Target
  onClose(): void
}

const nameOfTarget = (target: Target) => nameOf(isFolder(target) ? target : (oneOf(target)?.path ?? ''))

export function RenameDialog(props: RenameProps) {
  const w = useWords(actionWords)
  return (
    <Dialog opened onClose={props.onClose} title={w.renameTitle(nameOfTarget(props.target))}>
      <RenameForm {...props} />
    </Dialog>
  )
}

export function RenameForm({ target, onClose }: RenameProps) {
  const w = useWords(actionWords)
  const { actions } = useFilesPage().commands
  const { before } = useRetrievalSentences()
  const retrievals = useRetrievals(target)
  const sentence = useSentence()
  const input = useRef<HTMLInputElement>(null)
  const name = nameOfTarget(target)
  const { values, field, form } = useTextForm({
    start: { name },
    async send(typed) {
      const next = typed.name.trim()
      if (next !== name) await actions.rename(target, next)
    },
    onSent: onClose,
  })
  useEffect(() => {
    // A folder's name has no extension.
    const dot = isFolder(target) ? -1 : name.lastIndexOf('.')
    input.current?.focus()
    input.current?.setSelectionRange(0, dot > 0 ? dot : name.length)
  }, [name, target])
  useEffect(() => {
    if (form.error) input.current?.focus()
  }, [form.error])
  return (
    <Form
      {...form}
      gap="xs"
      error={null}
      submit={w.rename}
      disabled={values.name.trim() === ''}
      onCancel={onClose}
    >
      <TextInput
        {...field('name')}
        ref={input}
        label={w.newName}
        onKeyDown={event => {
          if (keysOf(event) !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
        error={form.error && sentence(form.error)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Quiet mih="1.5em">{retrievals && before(retrievals)}</Quiet>
    </Form>
  )
}
