/** How something stands: a sign and a sentence. The colour never says it alone. */
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../../language/language.tsx'
import { words } from './words.ts'

const SIGNS = {
  good: { Sign: IconCircleCheck, color: 'var(--fundus-good)', name: 'good' },
  warn: { Sign: IconAlertTriangle, color: 'var(--fundus-warn)', name: 'attention' },
  bad: { Sign: IconAlertTriangle, color: 'var(--fundus-bad)', name: 'bad' },
  plain: { Sign: IconInfoCircle, color: 'var(--mantine-color-dimmed)', name: null },
} as const

export interface StateLineProps {
  kind: keyof typeof SIGNS
  children: ReactNode
}

export function StateLine({ kind, children }: StateLineProps) {
  const w = useWords(words)
  const { Sign, color, name } = SIGNS[kind]
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" mt="xs">
      <Sign
        size={20}
        color={color}
        style={{ flex: 'none' }}
        {...(name === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': w[name] })}
      />
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  )
}
