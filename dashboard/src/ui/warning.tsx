/** A box with a warning, for something that should be noticed although nothing has failed. */
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Notice } from './native/notice.tsx'

export const Warning = ({ children }: { children: ReactNode }) => (
  <Notice role="status" tone="warn" icon={<IconAlertTriangle aria-hidden />}>
    <div>{children}</div>
  </Notice>
)
