/**
 * The frame around the pages: navigation, top bar and notices. In a narrow window, such as on a phone, the
 * bottom bar replaces the navigation.
 */
import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import { useWords } from '../language/language.tsx'
import { hasMinimumRole } from '../state/rights.ts'
import { useStoredState } from '../state/use-stored.ts'
import { RovingFocus } from '../ui/keys/roving-focus.tsx'
import { UploadRing } from '../uploads/panel/upload-ring.tsx'
import { UploadButton } from '../uploads/upload-button.tsx'
import { UploadHost } from '../uploads/upload-host.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { FilesHostWarning } from './files-host.tsx'
import classes from './frame.module.css'
import { useStoreLastFolder } from './last-folder.ts'
import { Rail } from './rail.tsx'
import { SearchBox } from './search-box.tsx'
import { StatusDot } from './status-dot.tsx'
import { words } from './words.ts'

/** In a window that matches, the navigation is collapsed until the user expands it. */
const NARROW_WINDOW_QUERY = '(max-width: 68.75em)'

export function Frame({ children }: { children: ReactNode }) {
  const w = useWords(words)
  const { isCollapsed, toggle } = useCollapsedNavigation()
  useStoreLastFolder()
  return (
    <div className={classes.frame} data-collapsed={isCollapsed || undefined}>
      <a className={classes.skip} href="#inhalt">
        {w.skip}
      </a>
      <Rail isCollapsed={isCollapsed} onToggle={toggle} />
      <header className={classes.top}>
        <SearchBox />
        <RovingFocus label={w.topTools} className={classes.topTools}>
          <UploadRing />
          {hasMinimumRole('redaktion') && <UploadButton />}
          <StatusDot />
          <AccountMenu />
        </RovingFocus>
      </header>
      <main id="inhalt" className={classes.main} tabIndex={-1}>
        <FilesHostWarning />
        {children}
      </main>
      <BottomBar />
      <Notifications
        position="bottom-left"
        // Above the viewer and below dialogs.
        zIndex={195}
        limit={4}
        withinPortal={false}
        classNames={{ root: classes.notices ?? '' }}
      />
      <UploadHost />
    </div>
  )
}

/**
 * Returns whether the navigation is collapsed to icons, which is the default, and a function that toggles
 * this. Only a choice made in a wide window is stored.
 */
function useCollapsedNavigation() {
  const isNarrow = useMediaQuery(NARROW_WINDOW_QUERY, matchMedia(NARROW_WINDOW_QUERY).matches)
  // 1 if collapsed, else 0.
  const [storedState, setStoredState] = useStoredState('fundus-leiste-zu', 1)
  const [isExpandedWhenNarrow, setOpened] = useState(false)
  const isCollapsed = isNarrow ? !isExpandedWhenNarrow : storedState === 1
  const toggle = () => (isNarrow ? setOpened(isCollapsed) : setStoredState(isCollapsed ? 0 : 1))
  return { isCollapsed, toggle }
}
