/** The layout of a maintenance task: description, state and button, with progress and findings below. */
import { Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import classes from './upkeep.module.css'

export interface TaskSectionProps {
  icon: Icon
  title: string
  /** The description of the task in one line. */
  description: string
  action: ReactNode
  /** The state of the task. A screen reader announces every change of it. */
  state?: ReactNode
  /** A note below the state. It is not announced, because its relative times change every minute. */
  note?: ReactNode
  children?: ReactNode
}

export function TaskSection({
  icon: IconComponent,
  title,
  description,
  action,
  state,
  note,
  children,
}: TaskSectionProps) {
  const id = useId()
  return (
    <Panel>
      <section className={classes.task} aria-labelledby={id}>
        <ThemeIcon variant="light" color="gray" size={40} aria-hidden>
          <IconComponent size={22} stroke={1.5} />
        </ThemeIcon>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          <DimmedText className={classes.line}>{description}</DimmedText>
          <div role="status">{state}</div>
          {note && (
            <Text size="sm" c="dimmed" pl={28} component="div">
              {note}
            </Text>
          )}
        </div>
        <div className={classes.action}>{action}</div>
        <div className={classes.below}>{children}</div>
      </section>
    </Panel>
  )
}
