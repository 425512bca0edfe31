/** A box with an icon and a message. */
import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface NoticeProps {
  /** `alert`: a screen reader interrupts itself to read the message; `status`: it waits. */
  role: 'alert' | 'status'
  tone: 'bad' | 'warn' | 'quiet'
  icon: ReactNode
  children: ReactNode
}

export const Notice = ({ role, tone, icon, children }: NoticeProps) => (
  <div role={role} className={classes.notice} data-tone={tone}>
    <span className={classes.icon}>{icon}</span>
    <div className={classes.message}>{children}</div>
  </div>
)
