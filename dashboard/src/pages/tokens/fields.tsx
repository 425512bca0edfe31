/** The fields of a token, each with a line that says what it does. */
import { Checkbox, Fieldset, Group, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { KINDS, type Kind } from '../../../../src/contract/paths/kinds.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { FolderField } from '../../ui/forms/folder-field.tsx'
import { SizeField } from '../../ui/forms/size-field.tsx'
import { bytesOf } from '../../ui/forms/sizes.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { kindsWords } from '../../ui/words.ts'
import { formWords } from './form-words.ts'
import type { Problem, TokenForm } from './token-form.ts'
import classes from './tokens.module.css'
import { lastDay } from './validity.ts'

export const fieldId = (field: keyof TokenForm) => `token-${field}`

export interface FieldsProps {
  form: TokenForm
  /** What the token's files take up already. */
  used: number
  set(change: Partial<TokenForm>): void
  /** The problem to be shown; undefined for a right value, and for a field that was not visited yet. */
  problem(field: keyof TokenForm): Problem | undefined
  onLeave(field: keyof TokenForm): void
}

export function Fields(props: FieldsProps) {
  const { form, set } = props
  const w = useWords(formWords)
  const common = useCommon(props)
  return (
    <>
      <Fieldset variant="unstyled" className={classes.group} legend={<Legend>{w.who}</Legend>}>
        <div className={classes.fields}>
          <TextInput
            {...common('name', w.name, w.nameHint)}
            required
            data-autofocus
            autoComplete="off"
            value={form.name}
            onChange={event => set({ name: event.currentTarget.value })}
          />
          <FolderField
            {...common('folder', w.folder, w.folderHint)}
            placeholder={w.folderPlaceholder}
            value={form.folder}
            onChange={folder => set({ folder })}
          />
          <Switch
            className={classes.wide}
            label={w.mayDelete}
            description={w.mayDeleteHint}
            checked={form.mayDelete}
            onChange={event => set({ mayDelete: event.currentTarget.checked })}
          />
        </div>
      </Fieldset>
      <Fieldset
        variant="unstyled"
        className={classes.group}
        legend={<Legend note={w.limitsHint}>{w.limits}</Legend>}
      >
        <Limits {...props} />
      </Fieldset>
    </>
  )
}

function Limits(props: FieldsProps) {
  const { form, used, set } = props
  const { w, format } = useTexts(formWords)
  const common = useCommon(props)
  const quota = bytesOf(form.quota)
  const isBelow = typeof quota === 'number' && quota < used
  return (
    <div className={classes.fields}>
      <SizeField
        {...common('quota', w.quota, isBelow ? w.quotaBelow(format.bytes(used)) : w.quotaHint)}
        value={form.quota}
        onChange={typed => set({ quota: typed })}
      />
      <SizeField
        {...common('maxFile', w.maxFile, w.maxFileHint)}
        value={form.maxFile}
        onChange={maxFile => set({ maxFile })}
      />
      <TextInput
        {...common('maxEdge', w.maxEdge, w.maxEdgeHint)}
        inputMode="numeric"
        autoComplete="off"
        rightSection={<Quiet>{w.pixels}</Quiet>}
        rightSectionWidth={64}
        rightSectionPointerEvents="none"
        value={form.maxEdge}
        onChange={event => set({ maxEdge: event.currentTarget.value })}
      />
      <TextInput
        {...common('validUntil', w.validUntil, w.validUntilHint)}
        type="date"
        min={lastDay(Date.now())}
        value={form.validUntil}
        onChange={event => set({ validUntil: event.currentTarget.value })}
      />
      <NativeSelect
        {...common('metadata', w.metadata, w.metadataHint)}
        data={[
          { value: '', label: w.metadataAsSet },
          { value: 'remove', label: w.metadataRemove },
          { value: 'keep', label: w.metadataKeep },
        ]}
        value={form.metadata}
        onChange={event => set({ metadata: event.currentTarget.value as TokenForm['metadata'] })}
      />
      <AllowedKinds {...props} />
    </div>
  )
}

function AllowedKinds({ form, set }: FieldsProps) {
  const w = useWords(formWords)
  const kinds = useWords(kindsWords)
  return (
    <Checkbox.Group
      className={classes.wide}
      label={w.kinds}
      description={w.kindsHint}
      value={[...form.kinds]}
      onChange={chosen => set({ kinds: chosen as Kind[] })}
    >
      <Group gap="md" mt="xs">
        {KINDS.map(kind => (
          <Checkbox key={kind} value={kind} label={kinds[kind]} />
        ))}
      </Group>
    </Checkbox.Group>
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

/** The properties that all fields share. */
function useCommon({ problem, onLeave }: FieldsProps) {
  const w = useWords(formWords)
  return (field: keyof TokenForm, label: string, description: string) => {
    const wrong = problem(field)
    return {
      id: fieldId(field),
      label,
      description,
      error: wrong && w[wrong],
      onBlur: () => onLeave(field),
    }
  }
}
