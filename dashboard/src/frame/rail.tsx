/** The navigation at the left, a single Tab stop; when collapsed, it shows only icons. */
import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useWords } from '../language/language.tsx'
import icon from '../ui/icon.svg'
import { RovingFocus } from '../ui/keys/roving-focus.tsx'
import classes from './frame.module.css'
import { allowedNavigationPages, isCurrentPage, preloadPage } from './pages.ts'
import { words } from './words.ts'

export function Rail({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle(): void }) {
  const w = useWords(words)
  const [location] = useLocation()
  const ToggleIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const toggleLabel = isCollapsed ? w.expand : w.collapse
  return (
    <nav className={classes.rail} aria-label={w.mainPages}>
      <RovingFocus label={w.mainPages} vertical className={classes.links}>
        <Link href="/" className={classes.brand} aria-label="Fundus">
          <img src={icon} alt="" width={32} height={32} />
          {!isCollapsed && 'Fundus'}
        </Link>
        {allowedNavigationPages().map(({ path, nameKey, icon: Icon }) => (
          <Tooltip key={path} label={w[nameKey]} position="right" disabled={!isCollapsed}>
            <Link
              href={path}
              className={classes.link}
              aria-current={isCurrentPage(path, location) ? 'page' : undefined}
              aria-label={w[nameKey]}
              onPointerEnter={() => preloadPage(path)}
            >
              <Icon size={20} stroke={1.6} aria-hidden />
              {!isCollapsed && w[nameKey]}
            </Link>
          </Tooltip>
        ))}
        <Tooltip label={toggleLabel} position="right" disabled={!isCollapsed}>
          <UnstyledButton
            className={`${classes.link} ${classes.push}`}
            onClick={onToggle}
            aria-label={toggleLabel}
          >
            <ToggleIcon size={20} stroke={1.6} aria-hidden />
            {!isCollapsed && toggleLabel}
          </UnstyledButton>
        </Tooltip>
      </RovingFocus>
    </nav>
  )
}
