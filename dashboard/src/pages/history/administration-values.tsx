/**
 * Shows the old and the new value of an entry in the history of the administration. The rights of an account
 * and the limits of a token are shown in words.
 */
import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { type LimitKind, TOKEN_LIMITS } from '../../../../src/contract/accounts/token-limits.ts'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { insertValue } from '../../../../src/contract/words/both-languages.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { pluralKindWords, roleWords } from '../../ui/words.ts'
import { occasionWords } from '../settings/fields/words.ts'
import { MEGABYTE_SETTINGS } from '../settings/groups.ts'
import classes from './history.module.css'
import {
  type DescribedRights,
  type DescribedToken,
  parseRightsDescription,
  parseTokenDescription,
} from './sentence.ts'
import { words } from './words.ts'

export type AdministrationEntry = GetRoutes['verwaltung']['answer']['eintraege'][number]

export function SettingChange({ was: entryKind, alt: oldValue, neu: newValue }: AdministrationEntry) {
  const w = useWords(words)
  const occasionNames = useWords(occasionWords)
  const valueText = (value: string | null) => {
    if (value === null || value === '') return w.emptyValue
    if (MEGABYTE_SETTINGS.has(entryKind as SettingName)) return `${value} MB`
    // In the text of a retention rule, the service writes the start of the period in parentheses. Folder
    // names cannot contain parentheses, so nothing else is replaced.
    if (entryKind === 'fristen_geaendert')
      return value.replaceAll('(hochgeladen)', w.fromUpload).replaceAll('(abgerufen)', w.fromView)
    if (entryKind !== 'WEBHOOK_ANLAESSE') return value
    const names = value.split(', ').map(occasion => ownValue(occasionNames, occasion) ?? occasion)
    return names.join(', ')
  }
  return <ValueChange oldValue={valueText(oldValue)} newValue={valueText(newValue)} />
}

export function TokenChange({ was: entryKind, alt: oldValue, neu: newValue }: AdministrationEntry) {
  const limitsText = useLimitsText()
  if (entryKind === 'token_widerrufen') return null
  const [oldToken, newToken] = [oldValue, newValue].map(description =>
    description === null ? null : parseTokenDescription(description),
  )
  if (!newToken) return null
  return (
    <ValueChange
      oldValue={oldToken ? limitsWithChangedName(oldToken, newToken, limitsText) : null}
      newValue={limitsWithChangedName(newToken, oldToken ?? newToken, limitsText)}
    />
  )
}

/** The limits of a token in words, preceded by its name if `comparedToken` has another name. */
const limitsWithChangedName = (
  token: DescribedToken,
  comparedToken: DescribedToken,
  describeLimits: (token: DescribedToken) => string,
) => (token.name === comparedToken.name ? describeLimits(token) : `${token.name}: ${describeLimits(token)}`)

export function RightsChange({ alt: oldValue, neu: newValue }: AdministrationEntry) {
  const rightsText = useRightsText()
  const [oldRights, newRights] = [oldValue, newValue].map(description =>
    parseRightsDescription(description ?? ''),
  )
  return newRights ? (
    <ValueChange oldValue={oldRights ? rightsText(oldRights) : null} newValue={rightsText(newRights)} />
  ) : null
}

/** Returns a function that describes rights in words: „Redaktion · nur items, logos“. */
export function useRightsText(): (rights: DescribedRights) => string {
  const w = useWords(words)
  const roleNames = useWords(roleWords)
  return ({ role, folders }) => {
    const name = (ownValue(roleNames, role) as string | undefined) ?? role
    return folders === null ? name : `${name} · ${w.only(folders.join(', '))}`
  }
}

function ValueChange({ oldValue, newValue }: { oldValue: string | null; newValue: string }) {
  const w = useWords(words)
  return (
    <span className={classes.values}>
      {oldValue !== null && (
        <>
          <del>
            <VisuallyHidden>{w.before}: </VisuallyHidden>
            {oldValue}
          </del>
          <IconArrowRight size={14} aria-hidden />
        </>
      )}
      <ins>
        <VisuallyHidden>{w.after}: </VisuallyHidden>
        {newValue}
      </ins>
    </span>
  )
}

function useLimitsText(): (token: DescribedToken) => string {
  const { language, format } = useLanguage()
  const w = useWords(words)
  const kindNames = useWords(pluralKindWords)
  const limitText = (kind: LimitKind, value: string): string => {
    if (kind === 'size') return format.bytes(Number(value))
    if (kind === 'number') return format.number(Number(value))
    if (kind === 'time') return format.moment(Date.parse(value))
    if (kind !== 'kinds') return value
    return value
      .split(',')
      .map(fileKind => ownValue(kindNames, fileKind) ?? fileKind)
      .join(', ')
  }
  return ({ limits }) => {
    const limitTexts = TOKEN_LIMITS.flatMap(({ wireName, kind, historyText: historyTexts }) =>
      limits
        .filter(({ limit }) => limit === wireName)
        .map(({ value }) => insertValue(historyTexts[language], limitText(kind, value))),
    )
    return limitTexts.join(' · ') || w.unlimited
  }
}
