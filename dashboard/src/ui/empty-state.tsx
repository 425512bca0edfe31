/** Shown in place of an empty list or page: a title, an explanation, and the next step. */
import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface EmptyStateProps {
  icon: Icon
  title: string
  description?: ReactNode
  /** The level of the heading: 1 if the page has no other heading. */
  headingLevel?: 1 | 2
  /** The button for the next step. */
  children?: ReactNode
}

export function EmptyState({
  icon: IconComponent,
  title,
  description,
  headingLevel = 2,
  children,
}: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center">
      <ThemeIcon variant="light" color="gray" size={56} aria-hidden>
        <IconComponent size={28} stroke={1.5} />
      </ThemeIcon>
      <Title order={headingLevel} fz="h2" mt="xs">
        {title}
      </Title>
      {description && (
        <Text c="dimmed" maw={480}>
          {description}
        </Text>
      )}
      {children && <div style={{ marginTop: 8 }}>{children}</div>}
    </Stack>
  )
}
