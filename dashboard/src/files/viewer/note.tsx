/** A line of text about the picture, at the top of the viewer. */
import { Text } from '@mantine/core'
import classes from './viewer.module.css'

export const StageNote = ({ children }: { children: string }) => (
  <Text size="sm" role="status" className={classes.note}>
    {children}
  </Text>
)
