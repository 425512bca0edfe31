/** A progress bar with figures, speed and remaining time where they are known. */
import { Group, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../language/language.tsx'
import { DimmedText } from '../dimmed-text.tsx'
import { words } from '../words.ts'

export interface ProgressBarProps {
  /** Shown above the bar, and its name for screen readers. */
  label: string
  done: number
  /** Null while it is unknown: the bar then only shows that work is in progress. */
  total: number | null
  /** Shown in place of the percentage: `1.204 von 9.000`. */
  progressText?: ReactNode
  /** Shown below the bar, such as the current step. */
  detailText?: string
  /** Bytes per second. */
  speed?: number | null
  /** Milliseconds left. */
  remainingMs?: number | null
}

export function ProgressBar({
  label,
  done,
  total,
  progressText,
  detailText: note,
  speed,
  remainingMs: remaining,
}: ProgressBarProps) {
  const { w, format } = useTexts(words)
  const share = total === null ? null : total === 0 ? 0 : Math.min(done / total, 1)
  const detailTexts = [
    note ?? null,
    speed == null ? null : `${format.bytes(Math.round(speed))}/s`,
    remaining == null ? null : w.remaining(format.duration(remaining)),
  ].filter(detail => detail !== null)
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <DimmedText>{progressText ?? (share === null ? '' : format.percent(share))}</DimmedText>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          // The key makes a new element when the total becomes known. Otherwise the full bar of the unknown
          // total would visibly shrink to the first share.
          key={share === null ? 'unknown' : 'known'}
          value={(share ?? 1) * 100}
          animated={share === null}
          color={share === null ? 'gray' : 'accent'}
          aria-label={label}
          {...(share === null && { 'aria-valuetext': w.loading })}
        />
      </Progress.Root>
      {detailTexts.length > 0 && (
        <Text size="xs" c="dimmed">
          {detailTexts.join(' · ')}
        </Text>
      )}
    </Stack>
  )
}
