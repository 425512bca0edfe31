/** What stands around every page: rail, top bar, and on a phone the bar at the bottom. */
import { type ReactNode, useState } from 'react'
import { useWords } from '../language/language.tsx'
import { UploadHost } from '../uploads/upload-host.tsx'
import { BottomBar } from './bottom-bar.tsx'
import classes from './frame.module.css'
import { Rail } from './rail.tsx'
import { TopBar } from './top-bar.tsx'
import { words } from './words.ts'

const COLLAPSED_KEY = 'fundus-leiste-zu'

export function Frame({ children }: { children: ReactNode }) {
  const w = useWords(words)
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(COLLAPSED_KEY) === '1')
  const toggle = () => {
    localStorage.setItem(COLLAPSED_KEY, collapsed ? '0' : '1')
    setCollapsed(!collapsed)
  }
  return (
    <div className={classes.frame} data-collapsed={collapsed || undefined}>
      <a className={classes.skip} href="#inhalt">
        {w.skip}
      </a>
      <Rail collapsed={collapsed} onToggle={toggle} />
      <TopBar />
      <main id="inhalt" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <BottomBar />
      <UploadHost />
    </div>
  )
}
