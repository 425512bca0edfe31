/**
 * The input field of a token limit. The kind of the limit decides whether it is a switch, checkboxes, a date,
 * a select box, or a field for a folder, a size or a number.
 */
import { Checkbox, Group, NativeSelect, Switch, TextInput } from '@mantine/core'
import type { LimitName, TokenLimit } from '../../../../src/contract/accounts/token-limits.ts'
import { KINDS, type Kind } from '../../../../src/contract/paths/kinds.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { FolderField } from '../../ui/forms/folder-field.tsx'
import { SizeField } from '../../ui/forms/size-field.tsx'
import type { TypedSize } from '../../ui/forms/sizes.ts'
import { pluralKindWords } from '../../ui/words.ts'
import { formWords } from './form-words.ts'
import type { TokenForm } from './token-form.ts'
import classes from './tokens.module.css'
import { lastValidDay } from './validity.ts'

type TypedLimit = TokenForm[LimitName]

interface LimitInputProps<Value = TypedLimit> {
  limit: TokenLimit
  id: string
  label: string
  description: string
  error: string | undefined
  value: Value
  onChange(value: TypedLimit): void
  onBlur(): void
}

export function LimitInput(props: LimitInputProps) {
  const { limit, value, ...fieldProps } = props
  const { kind } = limit
  if (kind === 'size') return <SizeField {...fieldProps} value={value as TypedSize} />
  if (kind === 'kinds') return <KindsInput {...props} value={value as readonly Kind[]} />
  if (kind === 'right') return <SwitchInput {...props} value={value as boolean} />
  return <TextualInput {...props} value={value as string} />
}

function SwitchInput({ label, description, value, onChange }: LimitInputProps<boolean>) {
  return (
    <Switch
      className={classes.wide}
      label={label}
      description={description}
      checked={value}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  )
}

function TextualInput({ limit: { kind, choices, unit }, onChange, ...fieldProps }: LimitInputProps<string>) {
  const w = useWords(formWords)
  const { language } = useLanguage()
  const handleInput = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  if (kind === 'folder')
    return <FolderField {...fieldProps} placeholder={w.folderPlaceholder} onChange={onChange} />
  if (kind === 'time')
    return <TextInput {...fieldProps} type="date" min={lastValidDay(Date.now())} onChange={handleInput} />
  if (choices) {
    const { none, yes, no } = choices
    const optionTexts = Object.entries({ '': none, yes, no })
    const options = optionTexts.map(([value, texts]) => ({ value, label: texts[language] }))
    return <NativeSelect {...fieldProps} data={options} onChange={handleInput} />
  }
  return (
    <TextInput
      {...fieldProps}
      inputMode="numeric"
      autoComplete="off"
      rightSection={<DimmedText>{unit?.[language]}</DimmedText>}
      rightSectionWidth={64}
      rightSectionPointerEvents="none"
      onChange={handleInput}
    />
  )
}

function KindsInput({ label, description, value, onChange }: LimitInputProps<readonly Kind[]>) {
  const kindNames = useWords(pluralKindWords)
  return (
    <Checkbox.Group
      className={classes.wide}
      label={label}
      description={description}
      value={[...value]}
      onChange={chosenKinds => onChange(chosenKinds as Kind[])}
    >
      <Group gap="md" mt="xs">
        {KINDS.map(kind => (
          <Checkbox key={kind} value={kind} label={kindNames[kind]} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
