/** A line at the top of the stage, about the picture below it. */
import { Text } from '@mantine/core'
import classes from './viewer.module.css'

export const Note = ({ children }: { children: string }) => (
  <Text size="sm" role="status" className={classes.note}>
    {children}
  </Text>
)
