/** A new token, and changing one: what the form holds goes to the service, its refusal stands in the form. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TokenOnWire } from '../../../../src/contract/tokens.ts'
import { patch, post } from '../../api/client.ts'
import type { PostRoutes } from '../../api/routes.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { useNotify } from '../../parts/notify.tsx'
import { TokenFormView } from './form.tsx'
import { formWords } from './form-words.ts'
import { changesOf, EMPTY_FORM, formOf, limitsOf, type TokenForm } from './token-form.ts'

/** With the key in clear text, this once. */
export type CreatedToken = PostRoutes['tokens']['answer']

export function NewForm({ onMade, onClose }: { onMade(token: CreatedToken): void; onClose(): void }) {
  const w = useWords(formWords)
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: (form: TokenForm) => post('tokens', { body: limitsOf(form) }),
    onSuccess(token) {
      void queries.invalidateQueries({ queryKey: ['tokens'] })
      onMade(token)
    },
  })
  return (
    <TokenFormView
      start={EMPTY_FORM}
      submit={w.create}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onCancel={onClose}
    />
  )
}

export function EditForm({ token, onClose }: { token: TokenOnWire; onClose(): void }) {
  const w = useWords(formWords)
  const notify = useNotify()
  const queries = useQueryClient()
  const { language } = useLanguage()
  const start = formOf(token, language === 'de' ? ',' : '.')
  const change = useMutation({
    mutationFn: (form: TokenForm) => patch(`tokens/${token.id}`, { body: changesOf(form, start) }),
    async onSuccess({ name }) {
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      notify.done(w.saved(name))
      onClose()
    },
  })
  return (
    <TokenFormView
      start={start}
      used={token.bytes}
      submit={w.save}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={change.mutate}
      onCancel={onClose}
    />
  )
}
