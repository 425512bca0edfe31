/** A vertical stack of elements, a divider with a word in it, and a button that looks like a link. */
import type { ComponentProps, ReactNode } from 'react'
import classes from './layout.module.css'

export type Gap = 'xs' | 'sm' | 'md' | 'lg'

export const Stack = ({ gap = 'md', children }: { gap?: Gap; children: ReactNode }) => (
  <div className={classes.stack} style={{ gap: `var(--mantine-spacing-${gap})` }}>
    {children}
  </div>
)

export const Divider = ({ label }: { label: string }) => <div className={classes.divider}>{label}</div>

export const TextButton = (props: ComponentProps<'button'>) => (
  <button type="button" className={classes.text} {...props} />
)
