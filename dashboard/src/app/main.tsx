/** Entry point of the dashboard for people who are signed in: loads the styles, then renders the app. */
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme.css'
import { replaceStartAddress } from '../frame/last-folder.ts'
import { preloadPage } from '../frame/pages.ts'
import { listenToWindow } from '../state/session.ts'
import { moveStyles } from '../ui/shell.ts'
import { App } from './app.tsx'

listenToWindow()
replaceStartAddress()
// Called before the page is preloaded: the styles that the page adds must come after those moved here.
const stylesLoaded = moveStyles()
preloadPage(location.pathname)
await stylesLoaded
createRoot(document.getElementById('root')!).render(<App />)
