/**
 * The header of a page: title, one line of description, and buttons at the right. Also sets the title of the
 * window.
 */
import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

export interface PageHeaderProps {
  title: string
  /** A short description, shown below the title. */
  description?: ReactNode
  /** Buttons, the main one last. */
  children?: ReactNode
}

export function PageHeader({ title, description, children }: PageHeaderProps) {
  useDocumentTitle(`${title} – Fundus`)
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
      <Stack gap={4} flex="1 1 320px">
        <Title order={1}>{title}</Title>
        {description && (
          <Text c="dimmed" component="div">
            {description}
          </Text>
        )}
      </Stack>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  )
}
