/** The frame around every page: rail, top bar, and on a phone the bar at the bottom. */
import type { ReactNode } from 'react'
import { useStored } from '../hooks/use-stored.ts'
import { useWords } from '../language/language.tsx'
import { UploadButton } from '../uploads/upload-button.tsx'
import { UploadHost } from '../uploads/upload-host.tsx'
import { UploadRing } from '../uploads/upload-ring.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BottomBar } from './bottom-bar.tsx'
import classes from './frame.module.css'
import { Rail } from './rail.tsx'
import { SearchBox } from './search-box.tsx'
import { StatusDot } from './status-dot.tsx'
import { words } from './words.ts'

export function Frame({ children }: { children: ReactNode }) {
  const w = useWords(words)
  // 0 or 1.
  const [stored, setStored] = useStored('fundus-leiste-zu', 0)
  const collapsed = stored === 1
  return (
    <div className={classes.frame} data-collapsed={collapsed || undefined}>
      <a className={classes.skip} href="#inhalt">
        {w.skip}
      </a>
      <Rail collapsed={collapsed} onToggle={() => setStored(collapsed ? 0 : 1)} />
      <header className={classes.top}>
        <SearchBox />
        <UploadRing />
        <UploadButton />
        <StatusDot />
        <AccountMenu />
      </header>
      <main id="inhalt" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <BottomBar />
      <UploadHost />
    </div>
  )
}
