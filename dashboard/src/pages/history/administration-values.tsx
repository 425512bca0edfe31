/** Shows the old and the new value of an entry. The values of a token are its limits, in words. */
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
import { MEGABYTES } from '../settings/groups.ts'
import classes from './history.module.css'
import { type DescribedRights, type DescribedToken, readRights, readToken } from './sentence.ts'
import { words } from './words.ts'

export type AdministrationEntry = GetRoutes['verwaltung']['answer']['eintraege'][number]

export function SettingChange({ was, alt, neu }: AdministrationEntry) {
  const w = useWords(words)
  const occasions = useWords(occasionWords)
  const shown = (value: string | null) => {
    if (value === null || value === '') return w.emptyValue
    if (MEGABYTES.has(was as SettingName)) return `${value} MB`
    // Only the translated words can match, because no folder name contains a parenthesis.
    if (was === 'fristen_geaendert')
      return value.replaceAll('(hochgeladen)', w.fromUpload).replaceAll('(abgerufen)', w.fromView)
    if (was !== 'WEBHOOK_ANLAESSE') return value
    const names = value.split(', ').map(each => ownValue(occasions, each) ?? each)
    return names.join(', ')
  }
  return <Pair old={shown(alt)} now={shown(neu)} />
}

export function TokenChange({ was, alt, neu }: AdministrationEntry) {
  const text = useLimits()
  if (was === 'token_widerrufen') return null
  const [old, now] = [alt, neu].map(described => (described === null ? null : readToken(described)))
  if (!now) return null
  return <Pair old={old ? nameIfNew(old, now, text) : null} now={nameIfNew(now, old ?? now, text)} />
}

/** The limits of a token in words, preceded by its name if that has changed. */
const nameIfNew = (token: DescribedToken, other: DescribedToken, text: (token: DescribedToken) => string) =>
  token.name === other.name ? text(token) : `${token.name}: ${text(token)}`

export function RightsChange({ alt, neu }: AdministrationEntry) {
  const text = useRightsText()
  const [old, now] = [alt, neu].map(described => readRights(described ?? ''))
  return now ? <Pair old={old ? text(old) : null} now={text(now)} /> : null
}

/** Returns a function that describes rights in words: „Redaktion · nur items, logos“. */
export function useRightsText(): (rights: DescribedRights) => string {
  const w = useWords(words)
  const roles = useWords(roleWords)
  return ({ role, folders }) => {
    const name = (ownValue(roles, role) as string | undefined) ?? role
    return folders === null ? name : `${name} · ${w.only(folders.join(', '))}`
  }
}

function Pair({ old, now }: { old: string | null; now: string }) {
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

function useLimits(): (token: DescribedToken) => string {
  const { language, format } = useLanguage()
  const w = useWords(words)
  const kinds = useWords(kindsWords)
  const shown = (kind: LimitKind, given: string): string => {
    if (kind === 'size') return format.bytes(Number(given))
    if (kind === 'number') return format.number(Number(given))
    if (kind === 'time') return format.moment(Date.parse(given))
    if (kind !== 'kinds') return given
    return given
      .split(',')
      .map(each => ownValue(kinds, each) ?? each)
      .join(', ')
  }
  return ({ limits }) => {
    const inWords = TOKEN_LIMITS.flatMap(({ wire, kind, history }) =>
      limits
        .filter(({ limit }) => limit === wire)
        .map(({ value }) => withValue(history[language], shown(kind, value))),
    )
    return inWords.join(' · ') || w.unlimited
  }
}
