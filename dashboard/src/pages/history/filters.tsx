/**
 * The fields for the filters of the history. All filters are kept in the address; typed text is written there
 * after a pause.
 */
import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { actorText, OPERATOR_ACTOR, SERVICE_ACTOR } from '../../../../src/contract/accounts/actors.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { hasMinimumRole } from '../../state/rights.ts'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { historyEventWords } from '../../ui/words.ts'
import classes from './history.module.css'
import {
  type HistorySearch,
  isFiltered,
  NO_FILTER,
  OCCURRENCES,
  type Occurrence,
  type SetHistorySearch,
} from './search.ts'
import { words } from './words.ts'

const TYPING_PAUSE_MS = 300

export interface HistoryFiltersProps {
  search: HistorySearch
  setSearch: SetHistorySearch
}

export function HistoryFilters({ search, setSearch }: HistoryFiltersProps) {
  const w = useWords(words)
  const occurrenceNames = useWords(historyEventWords)
  // On a phone the filters are closed at first unless some are set: open filters would push the entries off
  // the screen.
  const [areFiltersOpen, setFiltersOpen] = useState(isFiltered(search))
  return (
    <>
      <ButtonWithIcon
        icon={IconFilter}
        label={w.filters}
        hiddenFrom="sm"
        mb="md"
        variant="default"
        aria-expanded={areFiltersOpen}
        onClick={() => setFiltersOpen(!areFiltersOpen)}
      />
      <fieldset className={classes.filters} aria-label={w.filters} data-opened={areFiltersOpen || undefined}>
        <NativeSelect
          label={w.what}
          value={search.was ?? ''}
          data={[
            { value: '', label: w.everything },
            ...OCCURRENCES.map(value => ({ value, label: occurrenceNames[value] })),
          ]}
          onChange={event =>
            setSearch({ was: (event.currentTarget.value || undefined) as Occurrence | undefined, seite: 1 })
          }
        />
        <TypedFilters search={search} setSearch={setSearch} />
        {(['von', 'bis'] as const).map(name => (
          <TextInput
            key={name}
            type="date"
            label={name === 'von' ? w.from : w.to}
            value={search[name]}
            onChange={event => setSearch({ [name]: event.currentTarget.value, seite: 1 })}
          />
        ))}
        {isFiltered(search) && (
          <Button variant="default" onClick={() => setSearch(NO_FILTER)}>
            {w.clear}
          </Button>
        )}
      </fieldset>
    </>
  )
}

function TypedFilters({ search, setSearch }: HistoryFiltersProps) {
  const w = useWords(words)
  const actorNames = useActorNames()
  const writeFilter = (change: Partial<HistorySearch>) =>
    setSearch({ ...change, seite: 1 }, { replace: true })
  const [actorName, typeActorName] = useDebouncedText(search.wer, value => writeFilter({ wer: value }))
  const [pathPrefix, typePathPrefix] = useDebouncedText(search.pfad, value => writeFilter({ pfad: value }))
  return (
    <>
      <Autocomplete
        label={w.who}
        placeholder={w.whoHint}
        value={actorName}
        data={actorNames}
        limit={50}
        onChange={typeActorName}
      />
      <TextInput
        label={w.path}
        placeholder={w.pathHint}
        value={pathPrefix}
        spellCheck={false}
        onChange={event => typePathPrefix(event.currentTarget.value)}
      />
    </>
  )
}

/**
 * Suggestions for the actor: the service, the command line and, for operators, the existing tokens and
 * accounts. Other names, such as those of former accounts, can still be typed.
 */
function useActorNames(): string[] {
  const { data: tokens = [] } = useGet('tokens', { enabled: hasMinimumRole('betreiber') })
  const { data: accounts = [] } = useGet('benutzer', { enabled: hasMinimumRole('betreiber') })
  const actors = [
    ...tokens.map(({ name }) => ({ kind: 'token' as const, name })),
    ...accounts.map(({ benutzer }) => ({ kind: 'account' as const, name: benutzer })),
    SERVICE_ACTOR,
    OPERATOR_ACTOR,
  ]
  return [...new Set(actors.map(actorText))]
}

/** The state of a text field whose text is shown at once and written to the address after a pause. */
function useDebouncedText(
  textInAddress: string,
  writeText: (value: string) => void,
): [value: string, type: (value: string) => void] {
  const [typedText, setTypedText] = useState(textInAddress)
  const writeLater = useDebouncedCallback(writeText, TYPING_PAUSE_MS)
  useEffect(() => setTypedText(textInAddress), [textInAddress])
  return [
    typedText,
    value => {
      setTypedText(value)
      writeLater(value)
    },
  ]
}
