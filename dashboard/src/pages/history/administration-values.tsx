/**
 * Shows the old and the new value of an entry about the administration; rights and the limits of a token in
 * words.
 */
import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { type LimitKind, TOKEN_LIMITS } from '../../../../src/contract/accounts/token-limits.ts'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import { withValue } from '../../../../src/contract/words/both-languages.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { kindsWords, roleWords } from '../../ui/words.ts'
import { occasionWords } from '../settings/fields/words.ts'
import { MEGABYTE_SETTINGS } from '../settings/groups.ts'
import classes from './history.module.css'
import { type DescribedRights, type DescribedToken, readRights, readToken } from './sentence.ts'
import { words } from './words.ts'

export type AdministrationEntry = GetRoutes['verwaltung']['answer']['eintraege'][number]

export function SettingChange({ was, alt, neu }: AdministrationEntry) {
  const w = useWords(words)
  const occasionNames = useWords(occasionWords)
  const valueText = (value: string | null) => {
    if (value === null || value === '') return w.emptyValue
    if (MEGABYTE_SETTINGS.has(was as SettingName)) return `${value} MB`
    // In the text of a retention rule, the service writes the start of the period in parentheses. Folder
    // names contain none, so nothing else is replaced.
    if (was === 'fristen_geaendert')
      return value.replaceAll('(hochgeladen)', w.fromUpload).replaceAll('(abgerufen)', w.fromView)
    if (was !== 'WEBHOOK_ANLAESSE') return value
    const names = value.split(', ').map(each => ownValue(occasionNames, each) ?? each)
    return names.join(', ')
  }
  return <OldAndNew old={valueText(alt)} now={valueText(neu)} />
}

export function TokenChange({ was, alt, neu }: AdministrationEntry) {
  const limitsText = useLimitsText()
  if (was === 'token_widerrufen') return null
  const [oldToken, newToken] = [alt, neu].map(described => (described === null ? null : readToken(described)))
  if (!newToken) return null
  return (
    <OldAndNew
      old={oldToken ? limitsWithChangedName(oldToken, newToken, limitsText) : null}
      now={limitsWithChangedName(newToken, oldToken ?? newToken, limitsText)}
    />
  )
}

/** The limits of a token in words, preceded by its name if that has changed. */
const limitsWithChangedName = (
  token: DescribedToken,
  other: DescribedToken,
  text: (token: DescribedToken) => string,
) => (token.name === other.name ? text(token) : `${token.name}: ${text(token)}`)

export function RightsChange({ alt, neu }: AdministrationEntry) {
  const rightsText = useRightsText()
  const [oldRights, newRights] = [alt, neu].map(described => readRights(described ?? ''))
  return newRights ? (
    <OldAndNew old={oldRights ? rightsText(oldRights) : null} now={rightsText(newRights)} />
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

function OldAndNew({ old, now }: { old: string | null; now: string }) {
  const w = useWords(words)
  return (
    <span className={classes.values}>
      {old !== null && (
        <>
          <del>
            <VisuallyHidden>{w.before}: </VisuallyHidden>
            {old}
          </del>
          <IconArrowRight size={14} aria-hidden />
        </>
      )}
      <ins>
        <VisuallyHidden>{w.after}: </VisuallyHidden>
        {now}
      </ins>
    </span>
  )
}

function useLimitsText(): (token: DescribedToken) => string {
  const { language, format } = useLanguage()
  const w = useWords(words)
  const kindNames = useWords(kindsWords)
  const limitText = (kind: LimitKind, value: string): string => {
    if (kind === 'size') return format.bytes(Number(value))
    if (kind === 'number') return format.number(Number(value))
    if (kind === 'time') return format.moment(Date.parse(value))
    if (kind !== 'kinds') return value
    return value
      .split(',')
      .map(each => ownValue(kindNames, each) ?? each)
      .join(', ')
  }
  return ({ limits }) => {
    const limitTexts = TOKEN_LIMITS.flatMap(({ wire, kind, history }) =>
      limits
        .filter(({ limit }) => limit === wire)
        .map(({ value }) => withValue(history[language], limitText(kind, value))),
    )
    return limitTexts.join(' · ') || w.unlimited
  }
}
