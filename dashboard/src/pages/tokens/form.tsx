/** The forms that create and change a token. A problem is shown at a field once the field was left. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { patch, post } from '../../api/client.ts'
import type { PostRoutes } from '../../api/routes.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { Form } from '../../ui/forms/form.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { Fields, fieldId } from './fields.tsx'
import { formWords } from './form-words.ts'
import {
  changesOf,
  EMPTY_FORM,
  formOf,
  limitsOf,
  type Problems,
  problemsOf,
  type TokenForm,
} from './token-form.ts'

/** A token with its key in clear text, which is returned only this once. */
export type CreatedToken = PostRoutes['tokens']['answer']

export function NewForm({ onMade, onClose }: { onMade(token: CreatedToken): void; onClose(): void }) {
  const w = useWords(formWords)
  const refresh = useRefresh()
  const create = async (form: TokenForm) => {
    const token = await post('tokens', { body: limitsOf(form) })
    void refresh('tokens')
    onMade(token)
  }
  return <FilledForm start={EMPTY_FORM} used={0} submit={w.create} send={create} onCancel={onClose} />
}

export function EditForm({ token, onClose }: { token: TokenOnWire; onClose(): void }) {
  const w = useWords(formWords)
  const notify = useNotify()
  const refresh = useRefresh()
  const { language } = useLanguage()
  const start = formOf(token, language === 'de' ? ',' : '.')
  const change = async (form: TokenForm) => {
    const { name } = await patch(`tokens/${token.id}`, { body: changesOf(form, start) })
    await refresh('tokens')
    notify.done(w.saved(name))
    onClose()
  }
  return <FilledForm start={start} used={token.bytes} submit={w.save} send={change} onCancel={onClose} />
}

interface FilledFormProps {
  start: TokenForm
  /** Total bytes of the files of the token. */
  used: number
  submit: string
  send(form: TokenForm): Promise<void>
  onCancel(): void
}

type Field = keyof TokenForm

function FilledForm({ start, used, submit, send, onCancel }: FilledFormProps) {
  const [form, setForm] = useState(start)
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set())
  const sending = useMutation({ mutationFn: send })
  const problems = problemsOf(form, start, Date.now())

  const trySending = () => {
    const wrong = Object.keys(problems) as (keyof Problems)[]
    const [first] = wrong
    if (!first) return sending.mutate(form)
    // The problems are rendered before the focus moves, so that a screen reader reads the reason together
    // with the field.
    flushSync(() => setLeft(new Set(wrong)))
    document.getElementById(fieldId(first))?.focus()
  }
  return (
    <Form
      gap="lg"
      submit={submit}
      onSubmit={trySending}
      onCancel={onCancel}
      isBusy={sending.isPending}
      error={sending.error}
    >
      <Fields
        form={form}
        used={used}
        set={change => setForm(before => ({ ...before, ...change }))}
        problem={field => (left.has(field) ? problems[field] : undefined)}
        onLeave={field =>
          setLeft(before => (form[field] === start[field] ? before : new Set(before).add(field)))
        }
      />
    </Form>
  )
}
