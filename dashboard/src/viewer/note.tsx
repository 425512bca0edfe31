/** A line of text at the top of the stage, about the picture. */
import { Text } from '@mantine/core'
import classes from './viewer.module.css'

export const StageNote = ({ children }: { children: string }) => (
  <Text size="sm" role="status" className={classes.note}>
    {children}
  </Text>
)
