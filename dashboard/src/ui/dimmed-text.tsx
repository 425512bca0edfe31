/** Small, muted text: hints, dates, secondary figures. */
import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

export function DimmedText({ children, ...rest }: TextProps & { children: ReactNode; role?: 'status' }) {
  return (
    <Text size="sm" c="dimmed" {...rest}>
      {children}
    </Text>
  )
}
