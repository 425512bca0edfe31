/**
 * The rights and limits of a token in words. Limits that are not set are left out, except the folder and the
 * quota.
 */
import { Code, Tooltip } from '@mantine/core'
import {
  type Icon,
  IconCalendarOff,
  IconCalendarTime,
  IconDatabase,
  IconFile,
  IconFolder,
  IconListSearch,
  IconMapPinOff,
  IconPhotoDown,
  IconRuler,
  IconShape,
  IconVersions,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { TOKEN_LIMITS, type TokenLimit } from '../../../../src/contract/accounts/token-limits.ts'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { withValue } from '../../../../src/contract/words/both-languages.ts'
import { useLanguage, useTexts, useWords } from '../../language/language.tsx'
import { UsageBar } from '../../ui/charts/usage-bar.tsx'
import { useNow } from '../../ui/time.tsx'
import classes from './tokens.module.css'
import { validityOf } from './validity.ts'
import { kindsInSentence, words } from './words.ts'

export function TokenFacts({ token }: { token: TokenOnWire }) {
  const w = useWords(words)
  const kindsText = useKindsText(token.arten)
  return (
    <ul className={classes.facts}>
      <Fact icon={IconFolder}>
        <WriteRights token={token} />
      </Fact>
      <Fact icon={IconDatabase}>
        <TokenUsage token={token} />
      </Fact>
      {kindsText && <Fact icon={IconShape}>{w.onlyKinds(kindsText)}</Fact>}
      {TOKEN_LIMITS.map(limit => (
        <LimitFact key={limit.wire} {...{ limit, token }} />
      ))}
      <ValidUntil at={token.gueltig_bis} />
    </ul>
  )
}

const LIMIT_ICONS: Partial<Record<string, Icon>> = {
  max_datei: IconFile,
  max_kante: IconPhotoDown,
  exif_entfernen: IconMapPinOff,
  ueberschriebene_behalten: IconVersions,
  darf_lesen: IconListSearch,
}

function LimitFact({ limit, token }: { limit: TokenLimit; token: TokenOnWire }) {
  const { language, format } = useLanguage()
  const { wire, kind, card, cardNo } = limit
  const value = token[wire]
  if (value === null || !card || (value === false && !cardNo)) return null
  const template = value === false && cardNo ? cardNo : card
  const valueText = kind === 'size' ? format.bytes(Number(value)) : format.number(Number(value))
  return <Fact icon={LIMIT_ICONS[wire] ?? IconRuler}>{withValue(template[language], valueText)}</Fact>
}

interface FactProps {
  icon: Icon
  isEnding?: boolean
  isExpired?: boolean
  children: ReactNode
}

function Fact({ icon: IconComponent, isEnding = false, isExpired = false, children }: FactProps) {
  return (
    <li className={classes.fact} data-warns={isEnding || undefined} data-over={isExpired || undefined}>
      <IconComponent size={18} stroke={1.5} aria-hidden />
      <div style={{ flex: 1, minWidth: 0 }}>{children}</div>
    </li>
  )
}

function WriteRights({ token: { praefix, darf_loeschen: mayDelete } }: { token: TokenOnWire }) {
  const w = useWords(words)
  if (praefix === null) return mayDelete ? w.writesAndDeletes : w.writes
  return <WithCode>{mayDelete ? w.writesAndDeletesBelow(praefix) : w.writesBelow(praefix)}</WithCode>
}

/** Shows the part of a text between backticks as code. */
function WithCode({ children: text }: { children: string }) {
  const [before, code, after] = text.split('`')
  return (
    <>
      {before}
      <Code>{code}</Code>
      {after}
    </>
  )
}

function TokenUsage({ token }: { token: TokenOnWire }) {
  const { w, format } = useTexts(words)
  const { name, bytes, dateien, kontingent } = token
  if (kontingent === null) {
    const filesText = w.filesCounted(dateien, format.number(dateien))
    return dateien === 0 ? w.nothingStored : w.noQuota(format.bytes(bytes), filesText)
  }
  return (
    <UsageBar label={w.quotaBar(name)} used={bytes} limit={kontingent} warning={w.quotaNear}>
      {w.quota(format.bytes(kontingent), format.bytes(bytes))}
    </UsageBar>
  )
}

function ValidUntil({ at }: { at: number | null }) {
  const { w, format } = useTexts(words)
  const validity = validityOf(at, useNow())
  if (at === null) return null
  // A token usually expires at midnight, so its last day is the day before.
  const day = format.day(at - 1)
  const isExpired = validity === 'expired'
  return (
    <Fact
      icon={isExpired ? IconCalendarOff : IconCalendarTime}
      isEnding={validity === 'ending'}
      isExpired={isExpired}
    >
      <Tooltip label={format.moment(at)}>
        <span>{isExpired ? w.expiredSince(day) : w.validUntil(day)}</span>
      </Tooltip>
    </Fact>
  )
}

/** The allowed kinds in words, such as „Bilder und Videos“; null if all kinds are allowed. */
function useKindsText(kinds: TokenOnWire['arten']): string | null {
  const w = useWords(kindsInSentence)
  const { language } = useLanguage()
  return kinds && new Intl.ListFormat(language).format(kinds.map(kind => w[kind]))
}
