/**
 * Buttons and menu entries with an icon: `ButtonWithIcon` with a label, `LinkButton` as a link, `IconButton`
 * with the icon alone and a tooltip, and `MenuEntry`.
 */
import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  type ElementProps,
  Menu,
  Tooltip,
} from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from 'wouter'

interface IconAndLabel {
  icon: Icon
  label: string
  iconSize?: number
}

const iconElement = (IconComponent: Icon, size: number) => <IconComponent size={size} aria-hidden />

type ButtonWithIconProps = IconAndLabel & ButtonProps & ElementProps<'button', keyof ButtonProps>

export function ButtonWithIcon({ icon, label, iconSize = 16, ...rest }: ButtonWithIconProps) {
  return (
    <Button leftSection={iconElement(icon, iconSize)} {...rest}>
      {label}
    </Button>
  )
}

type LinkButtonProps = IconAndLabel & ButtonProps & ElementProps<'a', keyof ButtonProps> & { href: string }

/**
 * A link that looks like a button. It leads to a page of the dashboard, or with `download` or `target` to any
 * other address.
 */
export function LinkButton({ icon, label, iconSize = 16, ...rest }: LinkButtonProps) {
  const leadsToPage = rest.download === undefined && rest.target === undefined
  return (
    <Button
      component={leadsToPage ? Link : 'a'}
      variant="default"
      leftSection={iconElement(icon, iconSize)}
      {...rest}
    >
      {label}
    </Button>
  )
}

type IconButtonProps = IconAndLabel & ActionIconProps & ElementProps<'button', keyof ActionIconProps>

export function IconButton({ icon, label, iconSize = 18, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} {...rest}>
        {iconElement(icon, iconSize)}
      </ActionIcon>
    </Tooltip>
  )
}

type MenuEntryProps = IconAndLabel & {
  /** Whether the entry deletes or revokes something. */
  danger?: boolean
} & ({ onClick(): void } | { href: string; page?: true })

/**
 * An entry of a menu. With `href` it is a link that opens a new window, or, if `page` is set, a link to a
 * page of the dashboard.
 */
export function MenuEntry({
  icon: IconComponent,
  label,
  iconSize = 18,
  danger = false,
  ...rest
}: MenuEntryProps) {
  const leftSection = <IconComponent size={iconSize} stroke={1.6} aria-hidden />
  if ('onClick' in rest)
    return (
      <Menu.Item leftSection={leftSection} onClick={rest.onClick} {...(danger && { c: 'var(--fundus-bad)' })}>
        {label}
      </Menu.Item>
    )
  const { href, page } = rest
  return page ? (
    <Menu.Item leftSection={leftSection} component={Link} href={href}>
      {label}
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={leftSection} component="a" href={href} target="_blank" rel="noreferrer">
      {label}
    </Menu.Item>
  )
}
