/**
 * Stands in for a service process that a test kills: starts a decoding job, prints the start and the end of
 * its decoder with the process id, and waits for the job.
 */
import { fileURLToPath } from 'node:url'
import { createImages } from '../images.ts'

const [source, mime, path] = process.argv.slice(2)
const images = createImages({
  entryFile: fileURLToPath(new URL('./rogue.ts', import.meta.url)),
  searchPath: path ?? '',
  onChildEvent: (event, pid) => console.log(`${event} ${pid}`),
})
await images.derive({
  source: source!,
  mime: mime!,
  scratch: process.cwd(),
  parts: ['preview'],
  requester: { client: 'somebody', isAwaited: true },
})
