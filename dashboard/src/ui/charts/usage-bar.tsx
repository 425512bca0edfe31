/**
 * A bar that shows how much of a limit is used. Near the limit, its colour changes and the warning is shown.
 */
import { Group, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../language/language.tsx'
import { DimmedText } from '../dimmed-text.tsx'
import { usageLevel } from './usage.ts'

const COLOURS = { fine: 'accent', near: 'var(--fundus-warn)', full: 'var(--fundus-bad)' } as const

export interface UsageBarProps {
  /** Accessible name, for screen readers. */
  label: string
  usedAmount: number
  limit: number
  /** Shown above the bar: „1,3 GB von 2 GB belegt“. */
  children: ReactNode
  /** Shown near or above the limit. */
  warning?: ReactNode
}

export function UsageBar({ label, usedAmount, limit, children, warning }: UsageBarProps) {
  const format = useFormat()
  const { share, level } = usageLevel(usedAmount, limit)
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm">{children}</Text>
        <DimmedText flex="none">{format.percent(share)}</DimmedText>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={Math.round(Math.min(share, 1) * 1000) / 10}
          color={COLOURS[level]}
          aria-label={label}
        />
      </Progress.Root>
      {level !== 'fine' && warning && (
        <Group gap={6} wrap="nowrap" c={COLOURS[level]} align="flex-start">
          <IconAlertTriangle size={18} aria-hidden style={{ flex: 'none' }} />
          <Text size="sm">{warning}</Text>
        </Group>
      )}
    </Stack>
  )
}
