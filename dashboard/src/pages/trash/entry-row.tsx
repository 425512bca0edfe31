/** One deleted file: what it was, who deleted it, what is left of its time, and the way back. */
import { ActionIcon, Checkbox, Progress, Text, Tooltip } from '@mantine/core'
import { IconAlertCircle, IconArrowBackUp } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import type { TrashEntryOnWire } from '../../../../src/contract/trash.ts'
import { useFormat, useWords } from '../../language/language.tsx'
import { FilePreview } from '../../parts/file-preview.tsx'
import { MiddleCut } from '../../parts/middle-cut.tsx'
import { Time, useNow } from '../../parts/time.tsx'
import { kindWords } from '../../parts/words.ts'
import { timeLeft } from './time-left.ts'
import classes from './trash.module.css'
import { words } from './words.ts'

const PREVIEW = 56

export interface EntryRowProps {
  entry: TrashEntryOnWire
  maxDays: number
  isSelected: boolean
  refused: string | undefined
  onSelect(nr: number, isRange: boolean): void
  onRestore(nummern: number[]): void
}

export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { entry, maxDays, isSelected, refused, onSelect, onRestore } = props
  const w = useWords(words)
  const kinds = useWords(kindWords)
  const format = useFormat()
  return (
    <li className={classes.entry} data-selected={isSelected || undefined}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox in it is the control */}
      <label className={classes.what}>
        <Checkbox
          aria-label={w.select(entry.path)}
          checked={isSelected}
          onChange={event => onSelect(entry.nr, (event.nativeEvent as MouseEvent).shiftKey)}
        />
        <FilePreview file={entry} size={PREVIEW} plain />
        <span className={classes.text}>
          <MiddleCut>{entry.path}</MiddleCut>
          <Text size="sm" c="dimmed" component="span">
            {kinds[entry.art]} · {format.bytes(entry.size)} · {w.deletedBy(entry.geloescht_von)}{' '}
            <Time at={entry.geloescht_am} />
          </Text>
        </span>
      </label>
      <Left entry={entry} maxDays={maxDays} />
      <Tooltip label={w.restore}>
        <ActionIcon
          variant="default"
          size="lg"
          className={classes.back}
          aria-label={w.restoreOne(entry.path)}
          onClick={() => onRestore([entry.nr])}
        >
          <IconArrowBackUp size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {refused !== undefined && <Refused>{refused}</Refused>}
    </li>
  )
})

/** Brings itself into view: what was selected may lie far up the page. */
function Refused({ children }: { children: string }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    line.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Text ref={line} role="alert" size="sm" className={classes.refused}>
      <IconAlertCircle size={18} aria-hidden /> {children}
    </Text>
  )
}

function Left({ entry, maxDays }: Pick<EntryRowProps, 'entry' | 'maxDays'>) {
  const w = useWords(words)
  const format = useFormat()
  const { days, share, urgent } = timeLeft(entry.verfaellt_am, useNow(), maxDays)
  const said = days > 1 ? w.daysLeft(days) : days === 1 ? w.lastHours : w.due
  return (
    <Tooltip label={w.expiresAt(format.moment(entry.verfaellt_am))}>
      <span className={classes.left} data-urgent={urgent || undefined}>
        <Text size="sm" component="span">
          {said}
        </Text>
        <Progress
          value={share * 100}
          size={4}
          color={urgent ? 'var(--fundus-warn)' : 'gray.6'}
          aria-hidden
          className={classes.life}
        />
      </span>
    </Tooltip>
  )
}
