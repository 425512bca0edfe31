/**
 * The navigation in a narrow window, such as on a phone: a bar with all pages. If there are more than
 * `MAX_BAR_PAGES`, the bar shows only those with `staysInBar`, and the menu „Mehr“ (more) shows the others.
 */
import { Menu, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useWords } from '../language/language.tsx'
import classes from './frame.module.css'
import { allowedNavigationPages, isCurrentPage } from './pages.ts'
import { words } from './words.ts'

/** Maximum number of pages that the bar shows without the menu „Mehr“. */
const MAX_BAR_PAGES = 5

export function BottomBar() {
  const w = useWords(words)
  const [location] = useLocation()
  const pages = allowedNavigationPages()
  const barPages = pages.length <= MAX_BAR_PAGES ? pages : pages.filter(page => page.staysInBar)
  const menuPages = pages.filter(page => !barPages.includes(page))
  const ariaCurrent = (path: string) => (isCurrentPage(path, location) ? ('page' as const) : undefined)
  return (
    <nav className={classes.bottom} aria-label={w.mainPages}>
      {barPages.map(({ path, nameKey, icon: Icon }) => (
        <Link key={path} href={path} className={classes.tab} aria-current={ariaCurrent(path)}>
          <Icon size={22} stroke={1.6} aria-hidden />
          {w[nameKey]}
        </Link>
      ))}
      {menuPages.length > 0 && (
        <Menu position="top-end" width={220}>
          <Menu.Target>
            <UnstyledButton
              className={classes.tab}
              aria-current={menuPages.some(({ path }) => isCurrentPage(path, location)) ? 'true' : undefined}
            >
              <IconDots size={22} stroke={1.6} aria-hidden />
              {w.more}
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {menuPages.map(({ path, nameKey, icon: Icon }) => (
              <Menu.Item
                key={path}
                component={Link}
                href={path}
                aria-current={ariaCurrent(path)}
                leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              >
                {w[nameKey]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}
