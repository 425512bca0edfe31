/**
 * The tab with changes of settings, retention rules, tokens, accounts, shares and the like. For changed
 * settings, retention rules, tokens and rights of an account, the old and the new value are shown side by
 * side. The service masks secrets in them.
 */
import {
  IconHourglass,
  IconInbox,
  IconKey,
  IconMailPlus,
  IconSettings,
  IconShare2,
  IconUser,
} from '@tabler/icons-react'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pagination } from '../../ui/lists/pages.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { settingWords } from '../settings/words.ts'
import {
  type AdministrationEntry,
  RightsChange,
  SettingChange,
  TokenChange,
  useRightsText,
} from './administration-values.tsx'
import { DayList } from './day-list.tsx'
import classes from './history.module.css'
import type { HistorySearch, SetHistorySearch } from './search.ts'
import { parseRightsDescription, parseTokenDescription } from './sentence.ts'
import { Actor, SentenceLine } from './sentence-line.tsx'
import { administrationSentences, words } from './words.ts'

export function AdministrationTab(props: { search: HistorySearch; setSearch: SetHistorySearch }) {
  const { search, setSearch } = props
  const w = useWords(words)
  const query = { seite: Math.max(1, search.seite) }
  const historyQuery = useGet('verwaltung', { query, keepPrevious: true })
  return (
    <QueryResult query={historyQuery} skeleton={<RowsSkeleton />}>
      {data => (
        <>
          {data.eintraege.length === 0 && (
            <EmptyState icon={IconSettings} title={w.empty} description={w.administrationEmptyHint} />
          )}
          <DayList entries={data.eintraege} renderEntry={entry => <AdministrationLine entry={entry} />} />
          <Pagination {...data} onPage={seite => setSearch({ seite })} />
        </>
      )}
    </QueryResult>
  )
}

const ENTRY_ICONS = {
  fristen: IconHourglass,
  token: IconKey,
  freigabe: IconShare2,
  abgabe: IconInbox,
  konto: IconUser,
  passwort: IconUser,
  sitzungen: IconUser,
  zweiter: IconUser,
  passkey: IconUser,
  einladung: IconMailPlus,
} as const

const iconFor = (entryKind: string) =>
  ownValue(ENTRY_ICONS, entryKind.slice(0, Math.max(0, entryKind.indexOf('_')))) ?? IconSettings

/** The kinds of entries whose values describe a role and folders. */
const KINDS_WITH_RIGHTS = ['konto_geaendert', 'einladung_erstellt', 'einladung_widerrufen']

function AdministrationLine({ entry }: { entry: AdministrationEntry }) {
  const templates = useWords(administrationSentences)
  const settingNames = useWords(settingWords)
  const w = useWords(words)
  const { zeit, wer, was: entryKind, alt: oldValue, neu: newValue } = entry
  const specificTemplate = ownValue(templates, entryKind) as string | undefined
  const isSetting = specificTemplate === undefined
  const template = specificTemplate ?? templates.setting
  const latestValue = newValue ?? oldValue ?? (entryKind === 'webhook_getestet' ? w.noAnswer : '')
  const rights = KINDS_WITH_RIGHTS.includes(entryKind) ? parseRightsDescription(latestValue) : null
  const rightsText = useRightsText()
  const retentionRulesName = entryKind === 'fristen_geaendert' ? w.retentionRules : undefined
  // The name of what was changed. A setting that this version does not know is shown by its technical name.
  const name = isSetting
    ? (retentionRulesName ?? (ownValue(settingNames, entryKind) as string | undefined) ?? entryKind)
    : entryKind.startsWith('token_')
      ? parseTokenDescription(latestValue).name
      : rights
        ? rights.name || rightsText(rights)
        : latestValue
  const EntryIcon = iconFor(entryKind)
  return (
    <>
      <EntryIcon size={18} stroke={1.6} className={classes.sign} aria-hidden />
      <SentenceLine template={template} values={{ wer: <Actor wer={wer} />, name: <b>{name}</b> }} />
      <span className={classes.when}>
        <RelativeTime timestamp={zeit} />
      </span>
      {isSetting ? (
        <SettingChange {...entry} />
      ) : (
        entryKind.startsWith('token_') && <TokenChange {...entry} />
      )}
      {entryKind === 'konto_geaendert' && <RightsChange {...entry} />}
    </>
  )
}
