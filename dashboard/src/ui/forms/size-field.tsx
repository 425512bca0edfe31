/** A field for a size: a number, and MB or GB. An empty field means no limit. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useWords } from '../../language/language.tsx'
import { words } from '../words.ts'
import classes from './size-field.module.css'
import { SIZE_UNITS, type SizeUnit, type TypedSize } from './sizes.ts'

const UNIT_WIDTH = 76

export interface SizeFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection'> {
  label: string
  value: TypedSize
  onChange(value: TypedSize): void
}

export function SizeField({ value, onChange, label, ...rest }: SizeFieldProps) {
  const w = useWords(words)
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={value.text}
      onChange={event => onChange({ ...value, text: event.currentTarget.value })}
      rightSectionWidth={UNIT_WIDTH}
      rightSection={
        <select
          className={classes.unit}
          aria-label={w.unitOf(label)}
          value={value.unit}
          onChange={event => onChange({ ...value, unit: event.currentTarget.value as SizeUnit })}
        >
          {SIZE_UNITS.map(unit => (
            <option key={unit}>{unit}</option>
          ))}
        </select>
      }
      {...rest}
    />
  )
}
