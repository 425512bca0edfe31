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
import { fieldId, TokenFields } from './fields.tsx'
import { formWords } from './form-words.ts'
import {
  changesOf,
  EMPTY_FORM,
  formOf,
  problemsOf,
  requestOf,
  type TokenForm,
  type TokenFormProblems,
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
    <TokenFieldsForm
      initialValues={EMPTY_FORM}
      usedBytes={0}
      submitLabel={w.create}
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
    notify.showSuccess(w.saved(name))
    onClose()
  }
  return (
    <TokenFieldsForm
      initialValues={initialForm}
      usedBytes={token.bytes}
      submitLabel={w.save}
      send={changeToken}
      onCancel={onClose}
    />
  )
}

interface TokenFieldsFormProps {
  initialValues: TokenForm
  /** Bytes that files stored with the token take up now. */
  usedBytes: number
  submitLabel: string
  send(form: TokenForm): Promise<void>
  onCancel(): void
}

type FieldName = keyof TokenForm

function TokenFieldsForm({ initialValues, usedBytes, submitLabel, send, onCancel }: TokenFieldsFormProps) {
  const [form, setForm] = useState(initialValues)
  const [visitedFields, setVisitedFields] = useState<ReadonlySet<FieldName>>(new Set())
  const sendMutation = useMutation({ mutationFn: send })
  const problems = problemsOf(form, initialValues, Date.now())

  const trySending = () => {
    const invalidFields = Object.keys(problems) as (keyof TokenFormProblems)[]
    const [firstInvalidField] = invalidFields
    if (!firstInvalidField) return sendMutation.mutate(form)
    // The problems are rendered before the focus moves, so that a screen reader reads the reason together
    // with the field.
    flushSync(() => setVisitedFields(new Set(invalidFields)))
    document.getElementById(fieldId(firstInvalidField))?.focus()
  }
  return (
    <Form
      gap="lg"
      submit={submitLabel}
      onSubmit={trySending}
      onCancel={onCancel}
      isBusy={sendMutation.isPending}
      error={sendMutation.error}
    >
      <TokenFields
        form={form}
        usedBytes={usedBytes}
        set={change => setForm(previousForm => ({ ...previousForm, ...change }))}
        problemOf={field => (visitedFields.has(field) ? problems[field] : undefined)}
        onLeave={field =>
          setVisitedFields(previousFields =>
            form[field] === initialValues[field] ? previousFields : new Set(previousFields).add(field),
          )
        }
      />
    </Form>
  )
}
