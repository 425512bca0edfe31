/** The field of a limit, by its kind. */
import { Checkbox, Group, NativeSelect, Switch, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import type { LimitKind, LimitRow } from '../../../../src/contract/accounts/token-limits.ts'
import { KINDS, type Kind } from '../../../../src/contract/paths/kinds.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { FolderField } from '../../ui/forms/folder-field.tsx'
import { SizeField } from '../../ui/forms/size-field.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { kindsWords } from '../../ui/words.ts'
import { formWords } from './form-words.ts'
import type { TypedValues } from './token-form.ts'
import classes from './tokens.module.css'
import { lastDay } from './validity.ts'

interface InputProps<K extends LimitKind> {
  limit: LimitRow & { kind: K }
  value: TypedValues[K]
  onChange(value: TypedValues[K]): void
  id: string
  label: string
  description: string
  error: string | undefined
  onBlur(): void
}

interface LimitInputProps extends Omit<InputProps<LimitKind>, 'label' | 'description'> {
  limit: LimitRow
  /** In the place of the hint. */
  description: string | undefined
}

export function LimitInput({ limit, description, ...rest }: LimitInputProps) {
  const { language } = useLanguage()
  // The compiler does not see that a limit's kind and the type of its value belong together.
  const Input = INPUTS[limit.kind] as ComponentType<InputProps<LimitKind>>
  const label = limit.label[language]
  return <Input {...{ limit, label, ...rest }} description={description ?? limit.hint[language]} />
}

const INPUTS: { [K in LimitKind]: ComponentType<InputProps<K>> } = {
  folder: FolderInput,
  right: RightInput,
  size: ({ limit: _, ...field }) => <SizeField {...field} />,
  number: NumberInput,
  kinds: KindsInput,
  time: DayInput,
  choice: ChoiceInput,
}

function FolderInput({ limit: _, ...field }: InputProps<'folder'>) {
  const w = useWords(formWords)
  return <FolderField {...field} placeholder={w.folderPlaceholder} />
}

function RightInput({ label, description, value, onChange }: InputProps<'right'>) {
  return (
    <Switch
      className={classes.wide}
      {...{ label, description }}
      checked={value}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}

function NumberInput({ limit, onChange, ...field }: InputProps<'number'>) {
  const { language } = useLanguage()
  return (
    <TextInput
      {...field}
      inputMode="numeric"
      autoComplete="off"
      rightSection={<Quiet>{limit.unit[language]}</Quiet>}
      rightSectionWidth={64}
      rightSectionPointerEvents="none"
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function DayInput({ limit: _, onChange, ...field }: InputProps<'time'>) {
  return (
    <TextInput
      {...field}
      type="date"
      min={lastDay(Date.now())}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function ChoiceInput({ limit, onChange, ...field }: InputProps<'choice'>) {
  const { language } = useLanguage()
  const { none, yes, no } = limit.choices
  return (
    <NativeSelect
      {...field}
      data={[
        { value: '', label: none[language] },
        { value: 'yes', label: yes[language] },
        { value: 'no', label: no[language] },
      ]}
      onChange={event => onChange(event.currentTarget.value as TypedValues['choice'])}
    />
  )
}

function KindsInput({ label, description, value, onChange }: InputProps<'kinds'>) {
  const kinds = useWords(kindsWords)
  return (
    <Checkbox.Group
      className={classes.wide}
      {...{ label, description }}
      value={[...value]}
      onChange={chosen => onChange(chosen as Kind[])}
    >
      <Group gap="md" mt="xs">
        {KINDS.map(kind => (
          <Checkbox key={kind} value={kind} label={kinds[kind]} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
