/** The entry of the dashboard: styles, then the app. */
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { leaveStart } from '../frame/last-folder.ts'
import { watchOtherWindows } from '../state/session.ts'
import { App } from './app.tsx'
import { preload } from './pages.ts'
import { moveStyles } from './shell.ts'

watchOtherWindows()
leaveStart()
preload(location.pathname)
await moveStyles()
createRoot(document.getElementById('root')!).render(<App />)
