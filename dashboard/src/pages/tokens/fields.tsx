/** The fields of the token form, each with an explanation. */
import { Fieldset, Group, Text, TextInput } from '@mantine/core'
import { LIMITS_IN_FORM, type TokenLimit } from '../../../../src/contract/accounts/token-limits.ts'
import { useLanguage } from '../../language/language.tsx'
import { parseTypedSize } from '../../ui/forms/sizes.ts'
import { formWords } from './form-words.ts'
import { LimitInput } from './limit-input.tsx'
import type { TokenForm, TokenFormProblem } from './token-form.ts'
import classes from './tokens.module.css'

type FieldName = keyof TokenForm

export const fieldId = (field: FieldName) => `token-${field}`

export interface TokenFieldsProps {
  form: TokenForm
  /** Bytes that files stored with the token take up now. */
  usedBytes: number
  set(change: Partial<TokenForm>): void
  /** The problem to show at a field; undefined if there is none, or if it is not to be shown yet. */
  problemOf(field: FieldName): TokenFormProblem | undefined
  onLeave(field: FieldName): void
}

const isAccessLimit = ({ kind }: TokenLimit) => kind === 'folder' || kind === 'right'
const ACCESS_LIMITS = LIMITS_IN_FORM.filter(isAccessLimit)
const OTHER_LIMITS = LIMITS_IN_FORM.filter(limit => !isAccessLimit(limit))

export function TokenFields({ form, usedBytes, set, problemOf, onLeave }: TokenFieldsProps) {
  const { language, format } = useLanguage()
  const w = formWords[language]
  const commonProps = (field: FieldName) => {
    const fieldProblem = problemOf(field)
    return { id: fieldId(field), error: fieldProblem && w[fieldProblem], onBlur: () => onLeave(field) }
  }
  const quota = parseTypedSize(form.kontingent)
  const isQuotaTooSmall = typeof quota === 'number' && quota < usedBytes
  const limitInput = (limit: TokenLimit) => (
    <LimitInput
      key={limit.wireName}
      {...commonProps(limit.wireName)}
      limit={limit}
      label={limit.label[language]}
      description={
        limit.wireName === 'kontingent' && isQuotaTooSmall
          ? w.quotaBelow(format.bytes(usedBytes))
          : limit.hint[language]
      }
      value={form[limit.wireName]}
      onChange={typedValue => set({ [limit.wireName]: typedValue })}
    />
  )
  return (
    <>
      <Fieldset variant="unstyled" m={0} legend={<Legend>{w.who}</Legend>}>
        <div className={classes.fields}>
          <TextInput
            {...commonProps('name')}
            label={w.name}
            description={w.nameHint}
            required
            data-autofocus
            autoComplete="off"
            value={form.name}
            onChange={event => set({ name: event.currentTarget.value })}
          />
          {ACCESS_LIMITS.map(limitInput)}
        </div>
      </Fieldset>
      <Fieldset variant="unstyled" m={0} legend={<Legend note={w.limitsHint}>{w.limits}</Legend>}>
        <div className={classes.fields}>{OTHER_LIMITS.map(limitInput)}</div>
      </Fieldset>
    </>
  )
}

function Legend({ note, children }: { note?: string; children: string }) {
  return (
    <Group gap="xs" align="baseline" component="span">
      <Text fw={600} component="span">
        {children}
      </Text>
      {note && (
        <Text size="sm" c="dimmed" component="span">
          {note}
        </Text>
      )}
    </Group>
  )
}
