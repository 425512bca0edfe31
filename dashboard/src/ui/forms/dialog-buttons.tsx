import type { MouseEvent, ReactNode } from 'react'
import classes from './dialog-buttons.module.css'

/**
 * The buttons at the end of a dialog, with the main button last. They stay visible while the content scrolls.
 */
export function DialogButtons({ children }: { children: ReactNode }) {
  // Pressing a button does not take the focus from a field: losing the focus may show an error at the field,
  // which would move the button before the click is complete.
  const keepFocus = (event: MouseEvent) => event.preventDefault()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are what is pressed
    <div className={classes.buttons} onMouseDown={keepFocus}>
      {children}
    </div>
  )
}
