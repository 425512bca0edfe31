/** A button of the tools with what opens below it: a sign, and where there is room what is set. */
import { Popover, Tooltip, UnstyledButton } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import classes from './bar.module.css'

export interface ToolProps {
  icon: Icon
  /** Accessible name and tooltip. */
  label: string
  /** What is set, beside the sign. */
  value?: string
  /** Whether something is set that hides files. */
  active?: boolean
  children(close: () => void): ReactNode
}

export function Tool({ icon: Sign, label, value, active = false, children }: ToolProps) {
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={label} disabled={opened}>
          <UnstyledButton
            className={classes.tool}
            data-active={active || undefined}
            aria-label={value === undefined ? label : `${label}: ${value}`}
            onClick={() => setOpened(!opened)}
          >
            <Sign size={18} stroke={1.6} aria-hidden />
            {value !== undefined && <span className={classes.toolValue}>{value}</span>}
          </UnstyledButton>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label={label}>
        {children(close)}
      </Popover.Dropdown>
    </Popover>
  )
}
