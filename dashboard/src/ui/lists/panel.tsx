/** A bordered area that groups related content. */
import { Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'

export function Panel({ children, ...rest }: PaperProps & { children: ReactNode }) {
  return (
    <Paper withBorder p="md" style={{ borderColor: 'var(--fundus-line)' }} {...rest}>
      {children}
    </Paper>
  )
}
