/**
 * `npm run dev`: the service and the dashboard, each of which reloads when its sources change. They start and
 * stop together.
 */
import { join, resolve } from 'node:path'

const REPOSITORY = resolve(import.meta.dir, '../..')
const port = process.env.PORT ?? '8080'
const env = { ...process.env, PORT: port }

const spawnBun = (...command: string[]) =>
  Bun.spawn([process.execPath, ...command], { cwd: REPOSITORY, env, stdio: ['ignore', 'inherit', 'inherit'] })

const service = spawnBun('--watch', 'src/program/command-line.ts', 'start', '--no-build')
const vite = spawnBun(join(REPOSITORY, 'node_modules/vite/bin/vite.js'), 'dashboard')
console.info('Die Verwaltung mit sofortigem Neuladen: http://127.0.0.1:5173 · Strg+C beendet beides.')

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    service.kill('SIGTERM')
    vite.kill('SIGTERM')
  })
}
// When one of the two ends, the other is stopped too.
await Promise.race([service.exited, vite.exited])
service.kill('SIGTERM')
vite.kill('SIGTERM')
await Promise.all([service.exited, vite.exited])
