/** A service process that a test kills: starts a job, prints its decoder's pid, and waits. */
import { fileURLToPath } from 'node:url'
import { createImages } from '../images.ts'

const [source, mime, path] = process.argv.slice(2)
const images = createImages({
  entryFile: fileURLToPath(new URL('./rogue.ts', import.meta.url)),
  searchPath: path ?? '',
  onChild: (event, pid) => console.log(`${event} ${pid}`),
})
await images.derive({
  source: source!,
  mime: mime!,
  size: 1,
  scratch: process.cwd(),
  parts: ['preview'],
  requester: { client: 'somebody', isAwaited: true },
})
