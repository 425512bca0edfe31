/** A new name, with what it does to addresses. The part before the ending is marked, since that is what one changes. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useWords } from '../../../language/language.tsx'
import { useSentence } from '../../../parts/error-notice.tsx'
import { actionWords } from '../words.ts'

export interface RenameFormProps {
  name: string
  /** A folder has no ending. */
  folder?: boolean
  /** „Die Adresse ändert sich. …“ */
  warning: string | null
  onRename(name: string): Promise<unknown>
  onClose(): void
}

export function RenameForm({ name, folder = false, warning, onRename, onClose }: RenameFormProps) {
  const w = useWords(actionWords)
  const sentence = useSentence()
  const [typed, setTyped] = useState(name)
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    const dot = folder ? -1 : name.lastIndexOf('.')
    field.current?.focus()
    field.current?.setSelectionRange(0, dot > 0 ? dot : name.length)
  }, [name, folder])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const next = typed.trim()
    if (next === name) return onClose()
    setBusy(true)
    setError(null)
    try {
      await onRename(next)
      onClose()
    } catch (caught) {
      setError(caught as Error)
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          ref={field}
          label={w.newName}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onClose()
          }}
          error={error && sentence(error)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Text size="sm" c="dimmed" mih="1.5em">
          {warning}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {w.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={typed.trim() === ''}>
            {w.rename}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
