/**
 * A row for a file in the trash: who deleted it, when and why, the time left, and a button to restore it. A
 * page may have two hundred rows, so a row uses `title` attributes: hundreds of tooltip components would
 * render too slowly.
 */
import { Button } from '@mantine/core'
import { IconAlertCircle, IconArrowBackUp } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import type { TrashEntryOnWire } from '../../../../src/contract/files/trash.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { useSelection } from '../../state/selection.ts'
import { FilePreview } from '../../ui/files/file-preview.tsx'
import { MiddleTruncatedText } from '../../ui/files/middle-truncated-text.tsx'
import { kindWords, removalWords } from '../../ui/words.ts'
import type { TrashSelection } from './selection-bar.tsx'
import { timeLeft } from './time-left.ts'
import classes from './trash.module.css'
import type { Refusal } from './use-trash-actions.ts'
import { words } from './words.ts'

const PREVIEW_SIZE = 56

export interface EntryRowProps {
  entry: TrashEntryOnWire
  maxDays: number
  now: number
  selection: TrashSelection
  refusal: Refusal | undefined
  onRestore(nummern: number[]): void
  onExchange(nr: number): void
}

export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, now, selection, refusal, onRestore } = props
  const isSelected = useSelection(selection, current => current.isSelected(entry.nr))
  const { w, format } = useTexts(words)
  const kindNames = useWords(kindWords)
  const removalTexts = useWords(removalWords)
  const { path, geloescht_am: deletedAt } = entry
  return (
    <li className={classes.entry} data-selected={isSelected || undefined}>
      <label className={classes.what}>
        <input
          type="checkbox"
          className={classes.box}
          aria-label={w.select(path)}
          checked={isSelected}
          onChange={event => selection.toggle(entry.nr, (event.nativeEvent as MouseEvent).shiftKey)}
        />
        <FilePreview file={entry} size={PREVIEW_SIZE} withoutBadge />
        <span className={classes.text}>
          <MiddleTruncatedText>{path}</MiddleTruncatedText>
          <span className={classes.facts}>
            {kindNames[entry.art]} · {format.bytes(entry.size)} ·{' '}
            {removalTexts[entry.grund](entry.geloescht_von)}{' '}
            <time dateTime={new Date(deletedAt).toISOString()} title={format.moment(deletedAt)}>
              {format.relative(deletedAt, Math.max(now, deletedAt))}
            </time>
          </span>
        </span>
      </label>
      <TimeLeft {...props} />
      <button
        type="button"
        className={classes.back}
        title={w.restore}
        aria-label={w.restoreOne(path)}
        onClick={() => onRestore([entry.nr])}
      >
        <IconArrowBackUp size={18} aria-hidden />
      </button>
      {refusal && <RefusalNotice {...refusal} onExchange={() => props.onExchange(entry.nr)} />}
    </li>
  )
})

/**
 * Why an entry was not restored. The message scrolls into view, since the entry may be outside of the window.
 */
function RefusalNotice({ sentence, isPathTaken, onExchange }: Refusal & { onExchange(): void }) {
  const w = useWords(words)
  const paragraph = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    paragraph.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <p ref={paragraph} role="alert" className={classes.refused}>
      <IconAlertCircle size={18} aria-hidden /> {sentence}
      {isPathTaken && (
        <Button size="compact-sm" variant="default" flex="none" title={w.exchangeHint} onClick={onExchange}>
          {w.exchange}
        </Button>
      )}
    </p>
  )
}

function TimeLeft({ entry: { verfaellt_am: expiresAt }, now, maxDays }: EntryRowProps) {
  const { w, format } = useTexts(words)
  const { days, remainingShare, isUrgent } = timeLeft(expiresAt, now, maxDays)
  return (
    <span
      className={classes.left}
      data-urgent={isUrgent || undefined}
      title={w.expiresAt(format.moment(expiresAt))}
    >
      {days > 1 ? w.daysLeft(days) : days === 1 ? w.lastHours : w.expiresNow}
      <span className={classes.life} aria-hidden>
        <span style={{ width: `${remainingShare * 100}%` }} />
      </span>
    </span>
  )
}
