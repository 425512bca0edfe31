/** The filter by views: files never viewed, not viewed for a number of days, or not viewed since a date. */
import { NativeSelect, TextInput } from '@mantine/core'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { DAY } from '../../../../src/contract/values/units.ts'
import { useTexts } from '../../language/language.tsx'
import type { FilterSearch } from '../../state/filter-search.ts'
import { localDayOf } from '../../state/local-day.ts'
import { useListAddress } from '../bar/use-list-address.ts'
import { filterWords } from './words.ts'

const YEAR_IN_DAYS = 365
/** The periods without views that the user can choose. */
const PERIODS_IN_DAYS = [30, 90, YEAR_IN_DAYS]

const NO_VIEWS_FILTER: Pick<FilterSearch, 'nie_abgerufen' | 'unabgerufen_tage' | 'nicht_abgerufen_seit'> = {
  nie_abgerufen: false,
  unabgerufen_tage: 0,
  nicht_abgerufen_seit: '',
}

/** The date that is set at first when the user chooses the filter “Not viewed since a date”: 30 days ago. */
const defaultSinceDay = () => localDayOf(new Date(Date.now() - 30 * DAY))

export function useUnviewedDaysText(): (days: number) => string {
  const { w, format } = useTexts(filterWords)
  return days => (days === YEAR_IN_DAYS ? w.viewsYear : w.viewsDays(days, format.number(days)))
}

export function ViewsField() {
  const { w } = useTexts(filterWords)
  const daysTextOf = useUnviewedDaysText()
  const { search, change } = useListAddress()
  const {
    nie_abgerufen: neverViewed,
    unabgerufen_tage: unviewedDays,
    nicht_abgerufen_seit: unviewedSince,
  } = search
  const periods =
    unviewedDays === 0 || PERIODS_IN_DAYS.includes(unviewedDays)
      ? PERIODS_IN_DAYS
      : [...PERIODS_IN_DAYS, unviewedDays]
  const changesByOption: Record<string, typeof NO_VIEWS_FILTER> = {
    any: NO_VIEWS_FILTER,
    never: { ...NO_VIEWS_FILTER, nie_abgerufen: true },
    ...Object.fromEntries(
      periods.map(period => [`d${period}`, { ...NO_VIEWS_FILTER, unabgerufen_tage: period }]),
    ),
    since: { ...NO_VIEWS_FILTER, nicht_abgerufen_seit: unviewedSince || defaultSinceDay() },
  }
  return (
    <>
      <NativeSelect
        size="xs"
        label={w.views}
        value={
          neverViewed
            ? 'never'
            : unviewedDays > 0
              ? `d${unviewedDays}`
              : unviewedSince === ''
                ? 'any'
                : 'since'
        }
        onChange={event => change(ownValue(changesByOption, event.currentTarget.value) ?? NO_VIEWS_FILTER)}
        data={[
          { value: 'any', label: w.viewsAny },
          { value: 'never', label: w.viewsNever },
          ...periods.map(period => ({ value: `d${period}`, label: daysTextOf(period) })),
          { value: 'since', label: w.viewsSince },
        ]}
      />
      {unviewedSince !== '' && (
        <TextInput
          size="xs"
          type="date"
          label={w.viewsSinceDay}
          value={unviewedSince}
          onChange={event => change({ nicht_abgerufen_seit: event.currentTarget.value })}
        />
      )}
    </>
  )
}
