/**
 * The forms that create and change a token. A problem is shown at a field once the user has changed and left
 * it, or has tried to send the form.
 */
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
  type Problems,
  problemsOf,
  requestOf,
  type TokenForm,
} from './token-form.ts'

/** A token with its key in clear text, which is returned only this once. */
export type CreatedToken = PostRoutes['tokens']['answer']

export function NewTokenForm({
  onCreated,
  onClose,
}: {
  onCreated(token: CreatedToken): void
  onClose(): void
}) {
  const w = useWords(formWords)
  const refresh = useRefresh()
  const createToken = async (form: TokenForm) => {
    const token = await post('tokens', { body: requestOf(form) })
    void refresh('tokens')
    onCreated(token)
  }
  return (
    <FormWithFields
      start={EMPTY_FORM}
      usedBytes={0}
      submit={w.create}
      send={createToken}
      onCancel={onClose}
    />
  )
}

export function EditTokenForm({ token, onClose }: { token: TokenOnWire; onClose(): void }) {
  const w = useWords(formWords)
  const notify = useNotify()
  const refresh = useRefresh()
  const { language } = useLanguage()
  const initialForm = formOf(token, language === 'de' ? ',' : '.')
  const changeToken = async (form: TokenForm) => {
    const { name } = await patch(`tokens/${token.id}`, { body: changesOf(form, initialForm) })
    await refresh('tokens')
    notify.done(w.saved(name))
    onClose()
  }
  return (
    <FormWithFields
      start={initialForm}
      usedBytes={token.bytes}
      submit={w.save}
      send={changeToken}
      onCancel={onClose}
    />
  )
}

interface FormWithFieldsProps {
  start: TokenForm
  /** Bytes that files stored with the token take up now. */
  usedBytes: number
  submit: string
  send(form: TokenForm): Promise<void>
  onCancel(): void
}

type FieldName = keyof TokenForm

function FormWithFields({ start, usedBytes, submit, send, onCancel }: FormWithFieldsProps) {
  const [form, setForm] = useState(start)
  const [leftFields, setLeftFields] = useState<ReadonlySet<FieldName>>(new Set())
  const sendMutation = useMutation({ mutationFn: send })
  const problems = problemsOf(form, start, Date.now())

  const trySending = () => {
    const invalidFields = Object.keys(problems) as (keyof Problems)[]
    const [first] = invalidFields
    if (!first) return sendMutation.mutate(form)
    // The problems are rendered before the focus moves, so that a screen reader reads the reason together
    // with the field.
    flushSync(() => setLeftFields(new Set(invalidFields)))
    document.getElementById(fieldId(first))?.focus()
  }
  return (
    <Form
      gap="lg"
      submit={submit}
      onSubmit={trySending}
      onCancel={onCancel}
      isBusy={sendMutation.isPending}
      error={sendMutation.error}
    >
      <Fields
        form={form}
        usedBytes={usedBytes}
        set={change => setForm(before => ({ ...before, ...change }))}
        problem={field => (leftFields.has(field) ? problems[field] : undefined)}
        onLeave={field =>
          setLeftFields(before => (form[field] === start[field] ? before : new Set(before).add(field)))
        }
      />
    </Form>
  )
}
