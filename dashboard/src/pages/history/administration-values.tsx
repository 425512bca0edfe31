/** Old and new value of one entry; of a token its limits in words. */
import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { SettingName } from '../../../../src/contract/service/settings.ts'
import { ownValue } from '../../../../src/contract/values/own-value.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { kindsWords } from '../../ui/words.ts'
import { occasionWords } from '../settings/fields/words.ts'
import { MEGABYTES } from '../settings/groups.ts'
import classes from './history.module.css'
import { type DescribedToken, type Limit, readToken } from './sentence.ts'
import { limitWords, words } from './words.ts'

export type AdministrationEntry = GetRoutes['verwaltung']['answer']['eintraege'][number]

export function SettingValues({ was, alt, neu }: AdministrationEntry) {
  const w = useWords(words)
  const occasions = useWords(occasionWords)
  const shown = (value: string | null) => {
    if (value === null || value === '') return w.emptyValue
    if (MEGABYTES.has(was as SettingName)) return `${value} MB`
    if (was !== 'WEBHOOK_ANLAESSE') return value
    const names = value.split(', ').map(each => ownValue(occasions, each) ?? each)
    return names.join(', ')
  }
  return <Pair old={shown(alt)} now={shown(neu)} />
}

export function OldAndNew({ was, alt, neu }: AdministrationEntry) {
  const text = useLimits()
  if (was === 'token_widerrufen') return null
  const [old, now] = [alt, neu].map(described => (described === null ? null : readToken(described)))
  if (!now) return null
  return <Pair old={old ? named(old, now, text) : null} now={named(now, old ?? now, text)} />
}

/** The token's name, only if it changed. */
const named = (token: DescribedToken, other: DescribedToken, text: (token: DescribedToken) => string) =>
  token.name === other.name ? text(token) : `${token.name}: ${text(token)}`

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
  const { w, format } = useTexts(limitWords)
  const kinds = useWords(kindsWords)
  const value = (limit: Limit, given: string): string => {
    if (limit === 'darf_loeschen') return ''
    if (limit === 'max_datei' || limit === 'kontingent') return format.bytes(Number(given))
    if (limit === 'gueltig_bis') return format.moment(Date.parse(given))
    if (limit === 'max_kante') return `${format.number(Number(given))} px`
    if (limit !== 'arten') return given
    return given
      .split(',')
      .map(kind => ownValue(kinds, kind) ?? kind)
      .join(', ')
  }
  return ({ limits }) =>
    limits.length === 0
      ? w.unlimited
      : limits.map(({ limit, value: given }) => `${w[limit]} ${value(limit, given)}`.trim()).join(' · ')
}
