/** The entry of the dashboard: styles, then the app. */
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { App } from './app.tsx'
import { leaveStart } from './frame/last-folder.ts'
import { preload } from './pages.ts'
import { watchOtherWindows } from './session/session.ts'

watchOtherWindows()
leaveStart()
preload(location.pathname)
createRoot(document.getElementById('root')!).render(<App />)
