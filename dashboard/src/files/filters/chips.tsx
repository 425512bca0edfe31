/** The active filters, as chips that can be removed. */
import { Button, Pill } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import {
  type FilterSearch,
  isFiltered,
  joinWithCommas,
  kindsOf,
  NO_FILTERS,
  tokensOf,
} from '../../state/filter-search.ts'
import { kindsWords } from '../../ui/words.ts'
import { useChange } from '../bar/use-change.ts'
import classes from './filters.module.css'
import { SaveDialog } from './save-dialog.tsx'
import { useTokenNames } from './use-token-names.ts'
import { useDaysText } from './views-field.tsx'
import { filterWords } from './words.ts'

interface ChipText {
  text: string
  /** The change that removes the filter. */
  without: Partial<FilterSearch>
}

export function FilterChips() {
  const w = useWords(filterWords)
  const { search, change } = useChange()
  const [dialog, setDialog] = useState<ReactNode>(null)
  const chips = useChips(search)
  if (!isFiltered(search)) return null
  return (
    <section aria-label={w.filters} className={classes.chips}>
      <ul className={classes.list}>
        {chips.map(({ text, without }) => (
          <li key={text}>
            <Pill
              withRemoveButton
              size="md"
              removeButtonProps={{ 'aria-label': w.take(text), tabIndex: 0, 'aria-hidden': false }}
              onRemove={() => change(without)}
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
        onClick={() => setDialog(<SaveDialog search={search} onClose={() => setDialog(null)} />)}
      >
        {w.keep}
      </Button>
      {dialog}
    </section>
  )
}

function useChips(search: FilterSearch): ChipText[] {
  const { w, format } = useTexts(filterWords)
  const kinds = useWords(kindsWords)
  const tokens = useTokenNames()
  const daysText = useDaysText()
  const chosenKinds = kindsOf(search.art)
  const chosenTokens = tokensOf(search.token)
  const others = (values: readonly string[], without: string) =>
    joinWithCommas(values.filter(each => each !== without))
  const day = (value: string) => format.day(new Date(`${value}T00:00`))
  const chip = <Name extends keyof FilterSearch>(name: Name, say: (value: FilterSearch[Name]) => string) =>
    search[name] ? [{ text: say(search[name]), without: { [name]: NO_FILTERS[name] } }] : []
  return [
    ...chosenKinds.map(kind => ({ text: kinds[kind], without: { art: others(chosenKinds, kind) } })),
    ...chosenTokens.map(id => ({
      text: `${w.token}: ${tokens.get(id) ?? w.tokenUnknown}`,
      without: { token: others(chosenTokens, id) },
    })),
    ...chip('nie_abgerufen', () => w.viewsNever),
    ...chip('unabgerufen_tage', daysText),
    ...chip('nicht_abgerufen_seit', value => w.notSince(day(value))),
    ...chip('geaendert_von', value => w.changedFrom(day(value))),
    ...chip('geaendert_bis', value => w.changedTo(day(value))),
    ...chip('min_bytes', value => w.atLeast(format.bytes(value))),
    ...chip('max_bytes', value => w.atMost(format.bytes(value))),
    ...chip('min_breite', value => w.widthFrom(value)),
    ...chip('max_breite', value => w.widthTo(value)),
    ...chip('min_hoehe', value => w.heightFrom(value)),
    ...chip('max_hoehe', value => w.heightTo(value)),
    ...chip('ausrichtung', value => (value ? w[value] : '')),
  ]
}
