/** A box with a warning, for something that should be noticed although nothing has failed. */
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './warning.module.css'

export function Warning({ children }: { children: ReactNode }) {
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      className={classes.warning}
      icon={<IconAlertTriangle color="var(--fundus-warn)" aria-hidden />}
    >
      <Text size="sm" c="var(--mantine-color-text)" component="div">
        {children}
      </Text>
    </Alert>
  )
}
