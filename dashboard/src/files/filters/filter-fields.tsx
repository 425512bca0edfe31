/**
 * The fields of all filters. A choice or a date takes effect immediately, a typed number on Enter or when the
 * field loses the focus.
 */
import { Chip, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { KINDS } from '../../../../src/contract/paths/kinds.ts'
import { ORIENTATIONS } from '../../../../src/contract/values/limits.ts'
import { MEGABYTE } from '../../../../src/contract/values/units.ts'
import { useWords } from '../../language/language.tsx'
import { joinWithCommas, kindsOf, tokenIdsOf } from '../../state/filter-search.ts'
import { keysOf } from '../../ui/keys/keys.ts'
import { kindsWords } from '../../ui/words.ts'
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
          label={w.below}
          checked={search.unterordner}
          onChange={event => change({ unterordner: event.currentTarget.checked })}
        />
      )}
      <ViewsField />
      <TokenField />
      <div className={classes.pair}>
        <DayField name="geaendert_von" label={w.from} />
        <DayField name="geaendert_bis" label={w.to} />
        <CountField name="min_bytes" label={w.minSize} unit={MEGABYTE} />
        <CountField name="max_bytes" label={w.maxSize} unit={MEGABYTE} />
        <CountField name="min_breite" label={w.minWidth} />
        <CountField name="max_breite" label={w.maxWidth} />
        <CountField name="min_hoehe" label={w.minHeight} />
        <CountField name="max_hoehe" label={w.maxHeight} />
      </div>
      <NativeSelect
        size="xs"
        label={w.orientation}
        value={search.ausrichtung ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ ausrichtung: ORIENTATIONS.find(each => each === value) })
        }
        data={[
          { value: '', label: w.orientationAny },
          ...ORIENTATIONS.map(each => ({ value: each, label: w[each] })),
        ]}
      />
    </Stack>
  )
}

function KindsField() {
  const w = useWords(filterWords)
  const kindTexts = useWords(kindsWords)
  const { search, change } = useListAddress()
  return (
    <fieldset className={classes.kinds}>
      <Text component="legend" size="xs" fw={500}>
        {w.kinds}
      </Text>
      <Chip.Group
        multiple
        value={kindsOf(search.art)}
        onChange={chosen => change({ art: joinWithCommas(KINDS.filter(kind => chosen.includes(kind))) })}
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
 * A field that adds a token to the filter. Tokens are removed by the chips above the list. Hidden if there
 * are no tokens, or if the account cannot see them.
 */
function TokenField() {
  const w = useWords(filterWords)
  const { search, change } = useListAddress()
  const tokenNames = useTokenNames()
  if (tokenNames.size === 0) return null
  const chosenTokenIds = tokenIdsOf(search.token)
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

type CountName = 'min_bytes' | 'max_bytes' | 'min_breite' | 'max_breite' | 'min_hoehe' | 'max_hoehe'

function CountField({ name, label, unit = 1 }: { name: CountName; label: string; unit?: number }) {
  const { search, change } = useListAddress()
  /** The text that is being typed; null while the field shows the value in the address. */
  const [typed, setTyped] = useState<string | null>(null)
  const value = search[name]
  const shownValue = value === 0 ? '' : String(Math.round((value / unit) * 1000) / 1000)
  const applyTyped = () => {
    if (typed === null) return
    const typedValue = Math.round(Number(typed.replace(',', '.')) * unit)
    change({ [name]: Number.isSafeInteger(typedValue) && typedValue > 0 ? typedValue : 0 })
    setTyped(null)
  }
  return (
    <TextInput
      size="xs"
      label={label}
      inputMode={unit === 1 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={typed ?? shownValue}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={applyTyped}
      onKeyDown={(event: KeyboardEvent) => keysOf(event) === 'Enter' && applyTyped()}
    />
  )
}
