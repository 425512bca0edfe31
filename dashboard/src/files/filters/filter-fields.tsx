/**
 * The fields of all filters. A choice or a date takes effect immediately, a typed number on Enter or when the
 * field loses the focus.
 */
import { Chip, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { ORIENTATIONS } from '../../../../src/contract/files/choices.ts'
import { KINDS } from '../../../../src/contract/paths/kinds.ts'
import { MEGABYTE } from '../../../../src/contract/values/units.ts'
import { useWords } from '../../language/language.tsx'
import { joinWithCommas, parseKinds, parseTokenIds } from '../../state/filter-search.ts'
import { pressedKeysOf } from '../../state/pressed-keys.ts'
import { pluralKindWords } from '../../ui/words.ts'
import { useListAddress } from '../bar/use-list-address.ts'
import classes from './filters.module.css'
import { useTokenNames } from './use-token-names.ts'
import { ViewsField } from './views-field.tsx'
import { filterWords } from './words.ts'

export default function FilterFields() {
  const w = useWords(filterWords)
  const { search, change } = useListAddress()
  return (
    <Stack gap="sm">
      <KindsField />
      {search.suche === '' && (
        <Switch
          size="xs"
          label={w.inSubfolders}
          checked={search.unterordner}
          onChange={event => change({ unterordner: event.currentTarget.checked })}
        />
      )}
      <ViewsField />
      <TokenField />
      <div className={classes.pair}>
        <DayField name="geaendert_von" label={w.changedFromLabel} />
        <DayField name="geaendert_bis" label={w.changedToLabel} />
        <NumberField name="min_bytes" label={w.minSize} unitSize={MEGABYTE} />
        <NumberField name="max_bytes" label={w.maxSize} unitSize={MEGABYTE} />
        <NumberField name="min_breite" label={w.minWidth} />
        <NumberField name="max_breite" label={w.maxWidth} />
        <NumberField name="min_hoehe" label={w.minHeight} />
        <NumberField name="max_hoehe" label={w.maxHeight} />
      </div>
      <NativeSelect
        size="xs"
        label={w.orientation}
        value={search.ausrichtung ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ ausrichtung: ORIENTATIONS.find(orientation => orientation === value) })
        }
        data={[
          { value: '', label: w.orientationAny },
          ...ORIENTATIONS.map(orientation => ({ value: orientation, label: w[orientation] })),
        ]}
      />
    </Stack>
  )
}

function KindsField() {
  const w = useWords(filterWords)
  const kindTexts = useWords(pluralKindWords)
  const { search, change } = useListAddress()
  return (
    <fieldset className={classes.kinds}>
      <Text component="legend" size="xs" fw={500}>
        {w.kinds}
      </Text>
      <Chip.Group
        multiple
        value={parseKinds(search.art)}
        onChange={chosenKinds =>
          change({ art: joinWithCommas(KINDS.filter(kind => chosenKinds.includes(kind))) })
        }
      >
        <Group gap={6}>
          {KINDS.map(kind => (
            <Chip key={kind} value={kind} size="xs">
              {kindTexts[kind]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </fieldset>
  )
}

/**
 * A field that adds a token to the filter. The chips above the list remove tokens from the filter. Hidden if
 * there are no tokens, or if the account cannot see them.
 */
function TokenField() {
  const w = useWords(filterWords)
  const { search, change } = useListAddress()
  const tokenNames = useTokenNames()
  if (tokenNames.size === 0) return null
  const chosenTokenIds = parseTokenIds(search.token)
  const unselectedTokens = [...tokenNames].filter(([id]) => !chosenTokenIds.includes(id))
  return (
    <NativeSelect
      size="xs"
      label={w.token}
      value=""
      onChange={event => change({ token: joinWithCommas([...chosenTokenIds, event.currentTarget.value]) })}
      data={[
        { value: '', label: w.tokenAdd },
        ...unselectedTokens.map(([value, label]) => ({ value, label })),
      ]}
    />
  )
}

function DayField({ name, label }: { name: 'geaendert_von' | 'geaendert_bis'; label: string }) {
  const { search, change } = useListAddress()
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={search[name]}
      onChange={event => change({ [name]: event.currentTarget.value })}
    />
  )
}

type NumberFilterName = 'min_bytes' | 'max_bytes' | 'min_breite' | 'max_breite' | 'min_hoehe' | 'max_hoehe'

function NumberField({
  name,
  label,
  unitSize = 1,
}: {
  name: NumberFilterName
  label: string
  unitSize?: number
}) {
  const { search, change } = useListAddress()
  /** The text that is being typed; null while the field shows the value in the address. */
  const [typedText, setTypedText] = useState<string | null>(null)
  const value = search[name]
  const shownValue = value === 0 ? '' : String(Math.round((value / unitSize) * 1000) / 1000)
  const applyTypedText = () => {
    if (typedText === null) return
    const typedValue = Math.round(Number(typedText.replace(',', '.')) * unitSize)
    change({ [name]: Number.isSafeInteger(typedValue) && typedValue > 0 ? typedValue : 0 })
    setTypedText(null)
  }
  return (
    <TextInput
      size="xs"
      label={label}
      inputMode={unitSize === 1 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={typedText ?? shownValue}
      onChange={event => setTypedText(event.currentTarget.value)}
      onBlur={applyTypedText}
      onKeyDown={(event: KeyboardEvent) => pressedKeysOf(event) === 'Enter' && applyTypedText()}
    />
  )
}
