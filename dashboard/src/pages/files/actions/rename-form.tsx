/** A new name, with a warning about addresses. The part before the extension is selected, ready to be replaced. */
import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { keysOf } from '../../../hooks/keys.ts'
import { useWords } from '../../../language/language.tsx'
import { useSentence } from '../../../parts/error-notice.tsx'
import { Form, useTextForm } from '../../../parts/form.tsx'
import { Quiet } from '../../../parts/quiet.tsx'
import { actionWords } from '../words.ts'

export interface RenameFormProps {
  name: string
  /** A folder's name has no extension. */
  folder?: boolean
  /** „Die Adresse ändert sich. …“ */
  warning: string | null
  onRename(name: string): Promise<unknown>
  onClose(): void
}

export function RenameForm({ name, folder = false, warning, onRename, onClose }: RenameFormProps) {
  const w = useWords(actionWords)
  const sentence = useSentence()
  const input = useRef<HTMLInputElement>(null)
  const { values, field, form } = useTextForm({
    start: { name },
    async send(typed) {
      const next = typed.name.trim()
      if (next !== name) await onRename(next)
    },
    onSent: onClose,
  })
  useEffect(() => {
    const dot = folder ? -1 : name.lastIndexOf('.')
    input.current?.focus()
    input.current?.setSelectionRange(0, dot > 0 ? dot : name.length)
  }, [name, folder])
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
      <Quiet mih="1.5em">{warning}</Quiet>
    </Form>
  )
}
