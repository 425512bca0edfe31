/** The entry of the dashboard for people who are signed in: loads the styles, then renders the app. */
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { replaceStartAddress } from '../frame/last-folder.ts'
import { watchOtherWindows } from '../state/session.ts'
import { App } from './app.tsx'
import { preload } from './pages.ts'
import { moveStyles } from './shell.ts'

watchOtherWindows()
replaceStartAddress()
// Called before `preload`, which adds the styles of the page: they must come after these.
const styled = moveStyles()
preload(location.pathname)
await styled
createRoot(document.getElementById('root')!).render(<App />)
