/** The field for filters by views: never, not for some time, or not since a day. */
import { NativeSelect, TextInput } from '@mantine/core'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { useTexts } from '../../language/language.tsx'
import type { FilterSearch } from '../../state/filter-search.ts'
import { useChange } from '../bar/use-change.ts'
import { filterWords } from './words.ts'

/** The periods that are offered, in days. */
const YEAR = 365
const PERIODS = [30, 90, YEAR]

const NONE: Pick<FilterSearch, 'nie_abgerufen' | 'unabgerufen_tage' | 'nicht_abgerufen_seit'> = {
  nie_abgerufen: false,
  unabgerufen_tage: 0,
  nicht_abgerufen_seit: '',
}

/** The initial day of “not since”: 30 days ago. */
const aMonthAgo = () => new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)

export function useDaysText(): (days: number) => string {
  const { w, format } = useTexts(filterWords)
  return days => (days === YEAR ? w.viewsYear : w.viewsDays(days, format.number(days)))
}

export function ViewsField() {
  const { w } = useTexts(filterWords)
  const textOf = useDaysText()
  const { search, change } = useChange()
  const { nie_abgerufen: never, unabgerufen_tage: days, nicht_abgerufen_seit: since } = search
  const periods = days === 0 || PERIODS.includes(days) ? PERIODS : [...PERIODS, days]
  const changes: Record<string, typeof NONE> = {
    any: NONE,
    never: { ...NONE, nie_abgerufen: true },
    ...Object.fromEntries(periods.map(each => [`d${each}`, { ...NONE, unabgerufen_tage: each }])),
    since: { ...NONE, nicht_abgerufen_seit: since || aMonthAgo() },
  }
  return (
    <>
      <NativeSelect
        size="xs"
        label={w.views}
        value={never ? 'never' : days > 0 ? `d${days}` : since === '' ? 'any' : 'since'}
        onChange={event => change(ownValue(changes, event.currentTarget.value) ?? NONE)}
        data={[
          { value: 'any', label: w.viewsAny },
          { value: 'never', label: w.viewsNever },
          ...periods.map(each => ({ value: `d${each}`, label: textOf(each) })),
          { value: 'since', label: w.viewsSince },
        ]}
      />
      {since !== '' && (
        <TextInput
          size="xs"
          type="date"
          label={w.viewsSinceDay}
          value={since}
          onChange={event => change({ nicht_abgerufen_seit: event.currentTarget.value })}
        />
      )}
    </>
  )
}
