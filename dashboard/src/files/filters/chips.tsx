/** The active filters, as chips that can be removed. */
import { Button, Pill } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import {
  type FilterSearch,
  hasActiveFilters,
  joinWithCommas,
  NO_FILTERS,
  parseKinds,
  parseTokenIds,
} from '../../state/filter-search.ts'
import { pluralKindWords } from '../../ui/words.ts'
import { useListAddress } from '../bar/use-list-address.ts'
import classes from './filters.module.css'
import { SaveFilterDialog } from './save-dialog.tsx'
import { useTokenNames } from './use-token-names.ts'
import { useUnviewedDaysText } from './views-field.tsx'
import { filterWords } from './words.ts'

interface FilterChip {
  text: string
  /** The search parameters to change in the address so that this filter is removed. */
  removal: Partial<FilterSearch>
}

export function FilterChips() {
  const w = useWords(filterWords)
  const { search, change } = useListAddress()
  const [dialog, setDialog] = useState<ReactNode>(null)
  const chips = useChips(search)
  if (!hasActiveFilters(search)) return null
  return (
    <section aria-label={w.filters} className={classes.chips}>
      <ul className={classes.list}>
        {chips.map(({ text, removal }) => (
          <li key={text}>
            <Pill
              withRemoveButton
              size="md"
              removeButtonProps={{ 'aria-label': w.removeFilter(text), tabIndex: 0, 'aria-hidden': false }}
              onRemove={() => change(removal)}
            >
              {text}
            </Pill>
          </li>
        ))}
      </ul>
      <Button variant="subtle" size="compact-sm" onClick={() => change(NO_FILTERS)}>
        {w.clear}
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconBookmarkPlus size={16} aria-hidden />}
        onClick={() => setDialog(<SaveFilterDialog search={search} onClose={() => setDialog(null)} />)}
      >
        {w.saveFilter}
      </Button>
      {dialog}
    </section>
  )
}

function useChips(search: FilterSearch): FilterChip[] {
  const { w, format } = useTexts(filterWords)
  const kindTexts = useWords(pluralKindWords)
  const tokenNames = useTokenNames()
  const daysTextOf = useUnviewedDaysText()
  const chosenKinds = parseKinds(search.art)
  const chosenTokenIds = parseTokenIds(search.token)
  const joinWithout = (values: readonly string[], excluded: string) =>
    joinWithCommas(values.filter(value => value !== excluded))
  const formatDay = (value: string) => format.day(new Date(`${value}T00:00`))
  const chipsFor = <Name extends keyof FilterSearch>(
    name: Name,
    textOf: (value: FilterSearch[Name]) => string,
  ) => (search[name] ? [{ text: textOf(search[name]), removal: { [name]: NO_FILTERS[name] } }] : [])
  return [
    ...chosenKinds.map(kind => ({ text: kindTexts[kind], removal: { art: joinWithout(chosenKinds, kind) } })),
    ...chosenTokenIds.map(id => ({
      text: `${w.token}: ${tokenNames.get(id) ?? w.tokenUnknown}`,
      removal: { token: joinWithout(chosenTokenIds, id) },
    })),
    ...chipsFor('nie_abgerufen', () => w.viewsNever),
    ...chipsFor('unabgerufen_tage', daysTextOf),
    ...chipsFor('nicht_abgerufen_seit', value => w.notSince(formatDay(value))),
    ...chipsFor('geaendert_von', value => w.changedFrom(formatDay(value))),
    ...chipsFor('geaendert_bis', value => w.changedTo(formatDay(value))),
    ...chipsFor('min_bytes', value => w.atLeast(format.bytes(value))),
    ...chipsFor('max_bytes', value => w.atMost(format.bytes(value))),
    ...chipsFor('min_breite', value => w.widthFrom(value)),
    ...chipsFor('max_breite', value => w.widthTo(value)),
    ...chipsFor('min_hoehe', value => w.heightFrom(value)),
    ...chipsFor('max_hoehe', value => w.heightTo(value)),
    ...chipsFor('ausrichtung', value => (value ? w[value] : '')),
  ]
}
