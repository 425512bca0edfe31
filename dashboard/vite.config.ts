/** How the dashboard is built: hashed names for ever, nothing inline, so that the content policy needs no exception. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { NONCE_PLACE } from '../src/contract/web.ts'

/** What the service answers itself while Vite serves the pages (`npm run dev`). */
const SERVICE_ROUTES = ['/api', '/f/', '/t/', '/s/', '/status', '/health']

const service = `http://127.0.0.1:${process.env.PORT ?? 8080}`

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  clearScreen: false,
  html: { cspNonce: NONCE_PLACE },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(SERVICE_ROUTES.map(route => [route, { target: service }])),
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // A preload helper of its own would only be needed by browsers older than the target.
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 1000,
    emptyOutDir: true,
    // All that two pages share is one file: the first view needs 7 files instead of 51, of the same size together.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } },
  },
})
