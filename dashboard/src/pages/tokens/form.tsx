/** Making and changing a token. What is wrong is said at its field, as soon as one has left it. */
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Fields, fieldId } from './fields.tsx'
import { formWords } from './form-words.ts'
import { type Problems, problemsOf, type TokenForm } from './token-form.ts'

export interface TokenFormProps {
  start: TokenForm
  /** What the token's files take up already. */
  used?: number
  submit: string
  isBusy: boolean
  error: Error | null
  onSubmit(form: TokenForm): void
  onCancel(): void
}

type Field = keyof TokenForm

export function TokenFormView(props: TokenFormProps) {
  const { start, used = 0, submit, isBusy, error, onSubmit, onCancel } = props
  const w = useWords(formWords)
  const [form, setForm] = useState(start)
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set())
  const problems = problemsOf(form, start, Date.now())

  const send = (event: FormEvent) => {
    event.preventDefault()
    const wrong = Object.keys(problems) as (keyof Problems)[]
    const [first] = wrong
    if (!first) return onSubmit(form)
    // Shown first, so that a screen reader reads the reason when it comes to the field.
    flushSync(() => setLeft(new Set(wrong)))
    document.getElementById(fieldId(first))?.focus()
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="lg">
        <Fields
          form={form}
          used={used}
          set={change => setForm(before => ({ ...before, ...change }))}
          problem={field => (left.has(field) ? problems[field] : undefined)}
          onLeave={field =>
            setLeft(before => (form[field] === start[field] ? before : withField(before, field)))
          }
        />
        <ErrorNotice error={error} />
        {/* The focus stays in its field until the click is done: an error that appears there would move the button away. */}
        <Group justify="flex-end" gap="xs" onMouseDown={event => event.preventDefault()}>
          <Button variant="default" onClick={onCancel}>
            {w.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const withField = (fields: ReadonlySet<Field>, field: Field) => new Set(fields).add(field)
