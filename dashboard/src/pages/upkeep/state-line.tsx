/**
 * Shows a state by an icon and a sentence, never by a colour alone: `StateLine` as a line, `Callout` as a
 * box.
 */
import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useWords } from '../../language/language.tsx'
import classes from './upkeep.module.css'
import { words } from './words.ts'

const STATE_KINDS = {
  good: { icon: IconCircleCheck, color: 'var(--fundus-good)', name: 'good' },
  warn: { icon: IconAlertTriangle, color: 'var(--fundus-warn)', name: 'attention' },
  bad: { icon: IconAlertTriangle, color: 'var(--fundus-bad)', name: 'bad' },
  plain: { icon: IconInfoCircle, color: 'var(--mantine-color-dimmed)', name: null },
} as const

export interface StateLineProps {
  kind: keyof typeof STATE_KINDS
  children: ReactNode
}

export function StateLine({ kind, children }: StateLineProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" mt="xs">
      <KindIcon kind={kind} />
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  )
}

/** A box about something that requires action. A screen reader announces a box of kind `bad` at once. */
export function Callout({ kind, children }: StateLineProps) {
  return (
    <div
      className={classes.callout}
      role={kind === 'bad' ? 'alert' : 'note'}
      style={{ '--callout-colour': STATE_KINDS[kind].color } as CSSProperties}
    >
      <KindIcon kind={kind} />
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}

function KindIcon({ kind }: Pick<StateLineProps, 'kind'>) {
  const w = useWords(words)
  const { icon: StateIcon, color, name } = STATE_KINDS[kind]
  return (
    <StateIcon
      size={20}
      color={color}
      style={{ flex: 'none' }}
      {...(name === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': w[name] })}
    />
  )
}
