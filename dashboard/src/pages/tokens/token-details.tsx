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
import { insertValue } from '../../../../src/contract/words/both-languages.ts'
import { useLanguage, useTexts, useWords } from '../../language/language.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { TokenUsage } from './token-usage.tsx'
import classes from './tokens.module.css'
import { validityOf } from './validity.ts'
import { kindsInSentence, words } from './words.ts'

export function TokenDetails({ token }: { token: TokenOnWire }) {
  const w = useWords(words)
  const kindsText = useKindsText(token.arten)
  return (
    <ul className={classes.facts}>
      <DetailItem icon={IconFolder}>
        <WriteRights token={token} />
      </DetailItem>
      <DetailItem icon={IconDatabase}>
        <TokenUsage token={token} />
      </DetailItem>
      {kindsText && <DetailItem icon={IconShape}>{w.onlyKinds(kindsText)}</DetailItem>}
      {TOKEN_LIMITS.map(limit => (
        <LimitItem key={limit.wireName} limit={limit} token={token} />
      ))}
      <ValidityItem expiresAt={token.gueltig_bis} />
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

function LimitItem({ limit, token }: { limit: TokenLimit; token: TokenOnWire }) {
  const { language, format } = useLanguage()
  const { wireName, kind, cardText: cardTexts, cardTextIfFalse: cardTextsIfFalse } = limit
  const value = token[wireName]
  if (value === null || !cardTexts || (value === false && !cardTextsIfFalse)) return null
  const template = value === false && cardTextsIfFalse ? cardTextsIfFalse : cardTexts
  const valueText = kind === 'size' ? format.bytes(Number(value)) : format.number(Number(value))
  return (
    <DetailItem icon={LIMIT_ICONS[wireName] ?? IconRuler}>
      {insertValue(template[language], valueText)}
    </DetailItem>
  )
}

interface DetailItemProps {
  icon: Icon
  isExpiringSoon?: boolean
  isExpired?: boolean
  children: ReactNode
}

function DetailItem({
  icon: IconComponent,
  isExpiringSoon = false,
  isExpired = false,
  children,
}: DetailItemProps) {
  return (
    <li className={classes.fact} data-warns={isExpiringSoon || undefined} data-over={isExpired || undefined}>
      <IconComponent size={18} stroke={1.5} aria-hidden />
      <div style={{ flex: 1, minWidth: 0 }}>{children}</div>
    </li>
  )
}

function WriteRights({ token: { praefix, darf_loeschen: mayDelete } }: { token: TokenOnWire }) {
  const w = useWords(words)
  if (praefix === null) return mayDelete ? w.writesAndDeletes : w.writes
  return <TextWithCode>{mayDelete ? w.writesAndDeletesBelow(praefix) : w.writesBelow(praefix)}</TextWithCode>
}

/** Shows the part of a text between backticks as code. */
function TextWithCode({ children: text }: { children: string }) {
  const [textBefore, code, textAfter] = text.split('`')
  return (
    <>
      {textBefore}
      <Code>{code}</Code>
      {textAfter}
    </>
  )
}

function ValidityItem({ expiresAt }: { expiresAt: number | null }) {
  const { w, format } = useTexts(words)
  const validity = validityOf(expiresAt, useNow())
  if (expiresAt === null) return null
  // The last moment before the token expires: a token that expires at midnight is last valid on the day
  // before.
  const day = format.day(expiresAt - 1)
  const isExpired = validity === 'expired'
  return (
    <DetailItem
      icon={isExpired ? IconCalendarOff : IconCalendarTime}
      isExpiringSoon={validity === 'ending'}
      isExpired={isExpired}
    >
      <Tooltip label={format.moment(expiresAt)}>
        <span>{isExpired ? w.expiredSince(day) : w.validUntil(day)}</span>
      </Tooltip>
    </DetailItem>
  )
}

/** The allowed kinds in words, such as „Bilder und Videos“; null if all kinds are allowed. */
function useKindsText(kinds: TokenOnWire['arten']): string | null {
  const w = useWords(kindsInSentence)
  const { language } = useLanguage()
  return kinds && new Intl.ListFormat(language).format(kinds.map(kind => w[kind]))
}
