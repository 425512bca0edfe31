import { Group } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import classes from './dialog-buttons.module.css'

/** The buttons at the end of a dialog, main one last. They stay visible while its content scrolls. */
export function DialogButtons({ children }: { children: ReactNode }) {
  // The focus stays in its field until the click is done: an error that appears there would move the button.
  const keepFocus = (event: MouseEvent) => event.preventDefault()
  return (
    <Group justify="flex-end" gap="xs" className={classes.buttons} onMouseDown={keepFocus}>
      {children}
    </Group>
  )
}
