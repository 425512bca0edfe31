/** Entry point of the dashboard for people who are signed in: loads the styles, then renders the app. */
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { redirectStartToLastFolder } from '../frame/last-folder.ts'
import { preloadPage } from '../frame/pages.ts'
import { installSessionListeners } from '../state/session.ts'
import { moveStylesToHead } from '../ui/shell.ts'
import { App } from './app.tsx'

installSessionListeners()
redirectStartToLastFolder()
// The styles are moved before the page is preloaded: those that the page adds must come after them.
const stylesPromise = moveStylesToHead()
preloadPage(location.pathname)
await stylesPromise
createRoot(document.getElementById('root')!).render(<App />)
