/** A titled section of a page, with optional content in its corner, such as a link. */
import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'

export interface TitledBoxProps {
  title: string
  /** Shown beside the title. */
  note?: ReactNode
  cornerContent?: ReactNode
  children: ReactNode
}

export function TitledBox({ title, note, cornerContent, children }: TitledBoxProps) {
  return (
    <section aria-label={title}>
      <Panel h="100%">
        <Group justify="space-between" align="baseline" mb="xs" wrap="nowrap">
          <Title order={2}>
            {title}
            {note}
          </Title>
          {cornerContent}
        </Group>
        {children}
      </Panel>
    </section>
  )
}
