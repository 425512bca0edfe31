/**
 * A button of the toolbar that opens a popover. It shows an icon and, if there is space, the current value.
 */
import { Popover, Tooltip, UnstyledButton } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import classes from './bar.module.css'

export interface ToolbarButtonProps {
  icon: Icon
  /** Accessible name and tooltip. */
  label: string
  /** The current value, shown beside the icon. */
  value?: string
  /** Whether to highlight the button, because its current setting hides files. */
  isHighlighted?: boolean
  children(close: () => void): ReactNode
}

export function ToolbarButton({
  icon: ToolIcon,
  label,
  value,
  isHighlighted = false,
  children,
}: ToolbarButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <UnstyledButton
            className={classes.tool}
            data-active={isHighlighted || undefined}
            aria-label={value === undefined ? label : `${label}: ${value}`}
            onClick={() => setOpen(!isOpen)}
          >
            <ToolIcon size={18} stroke={1.6} aria-hidden />
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
