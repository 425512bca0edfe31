/**
 * The preview: each path before and after, with the change marked. Conflicts are first, with their reasons.
 */
import { Badge, Group, Switch, Text } from '@mantine/core'
import { IconAlertCircle, IconArrowRight, IconReplace, IconSearchOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts, useWords } from '../../language/language.tsx'
import { useServiceText } from '../../language/service-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { VirtualRows } from '../../ui/lists/virtual-rows.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { diffPaths, type PathDiffPart } from './change.ts'
import type { PreviewRow, ReplacePreviewData } from './preview.ts'
import classes from './replace.module.css'
import { words } from './words.ts'

interface ReplacePreviewProps {
  preview: ReplacePreviewData | null
  /** Whether a search text was typed. */
  hasSearchText: boolean
  hasFailed: boolean
  isOutdated: boolean
  /** The search text and its replacement (`by`); undefined for a regular expression. */
  textReplacement?: { search: string; by: string } | undefined
}

const ROW_HEIGHT = 40

export function ReplacePreview({
  preview,
  hasSearchText,
  hasFailed,
  isOutdated,
  textReplacement,
}: ReplacePreviewProps) {
  const w = useWords(words)
  const [showsOnlyConflicts, setShowsOnlyConflicts] = useState(false)
  if (hasFailed) return null
  if (!hasSearchText) return <EmptyState icon={IconReplace} title={w.preview} description={w.begin} />
  if (!preview) return <RowsSkeleton rows={4} height={ROW_HEIGHT} />
  if (preview.rows.length === 0 && !isOutdated) {
    return <EmptyState icon={IconSearchOff} title={w.nothing} description={w.nothingHint} />
  }
  const shownRows =
    showsOnlyConflicts && preview.conflictCount > 0
      ? preview.rows.filter(row => row.conflict !== null)
      : preview.rows
  return (
    <div data-outdated={isOutdated || undefined} className={classes.preview} aria-busy={isOutdated}>
      <PreviewSummary
        preview={preview}
        showsOnlyConflicts={showsOnlyConflicts}
        onFilterChange={setShowsOnlyConflicts}
      />
      <VirtualRows
        label={w.preview}
        items={shownRows}
        itemKey={row => row.from}
        rowHeight={ROW_HEIGHT}
        maxHeight="min(400px, 45dvh)"
      >
        {row => <ReplacementRow {...row} textReplacement={textReplacement} />}
      </VirtualRows>
    </div>
  )
}

interface PreviewSummaryProps {
  preview: ReplacePreviewData
  showsOnlyConflicts: boolean
  onFilterChange(showsOnlyConflicts: boolean): void
}

function PreviewSummary({
  preview: { rows, conflictCount },
  showsOnlyConflicts,
  onFilterChange,
}: PreviewSummaryProps) {
  const { w, format } = useTexts(words)
  return (
    <Group className={classes.figures} gap="sm">
      <Text fw={600} role="status">
        {w.hits(rows.length, format.number(rows.length))}
      </Text>
      {conflictCount > 0 && (
        <>
          <Badge
            color="red"
            variant="outline"
            size="md"
            fw={700}
            leftSection={<IconAlertCircle size={14} aria-hidden />}
          >
            {w.conflicts(conflictCount, format.number(conflictCount))}
          </Badge>
          <Switch
            ml="auto"
            size="xs"
            label={w.onlyConflicts}
            checked={showsOnlyConflicts}
            onChange={event => onFilterChange(event.currentTarget.checked)}
          />
        </>
      )}
    </Group>
  )
}

function ReplacementRow({
  from,
  to,
  conflict,
  textReplacement,
}: PreviewRow & { textReplacement: ReplacePreviewProps['textReplacement'] }) {
  const w = useWords(words)
  const serviceText = useServiceText()
  const parts = diffPaths(from, to, textReplacement)
  return (
    <div className={classes.row}>
      <MarkedPath parts={parts} side="from" />
      <IconArrowRight size={16} aria-label={w.becomes} role="img" />
      <MarkedPath parts={parts} side="to" />
      {conflict && (
        <span className={classes.conflict}>
          <IconAlertCircle size={14} aria-hidden />
          {serviceText(conflict.grund, conflict.code)}
        </span>
      )}
    </div>
  )
}

function MarkedPath({ parts, side }: { parts: readonly PathDiffPart[]; side: 'from' | 'to' }) {
  const MarkElement = side === 'from' ? 'del' : 'ins'
  return (
    <span className={classes.path}>
      {parts.map((part, index) => {
        if ('same' in part) return part.same
        return part[side] === '' ? null : <MarkElement key={index}>{part[side]}</MarkElement>
      })}
    </span>
  )
}
