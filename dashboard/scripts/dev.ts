/** `npm run dev`: the service and the dashboard, both reloading what changes, started and stopped together. */
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dir, '../..')
const port = process.env.PORT ?? '8080'
const env = { ...process.env, PORT: port }

const run = (...command: string[]) =>
  Bun.spawn([process.execPath, ...command], { cwd: REPOSITORY, env, stdio: ['ignore', 'inherit', 'inherit'] })

const service = run('--watch', 'src/program/command-line.ts', 'start', '--no-build')
const pages = run(join(REPOSITORY, 'node_modules/vite/bin/vite.js'), 'dashboard')
console.info('Die Verwaltung mit sofortigem Neuladen: http://127.0.0.1:5173 · Strg+C beendet beides.')

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    service.kill('SIGTERM')
    pages.kill('SIGTERM')
  })
}
// One without the other is of no use.
await Promise.race([service.exited, pages.exited])
service.kill('SIGTERM')
pages.kill('SIGTERM')
await Promise.all([service.exited, pages.exited])
