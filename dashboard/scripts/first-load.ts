/** How much a browser fetches until a page shows: the entry, the page, and all they import at once. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>

const ENTRIES = {
  files: ['index.html', 'src/files/page.tsx'],
  entrance: ['entrance.html'],
}

export function firstLoad(
  dist: string,
  page: keyof typeof ENTRIES = 'files',
): { script: number; style: number; files: string[] } {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no ${name}.`)
    if (scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    for (const style of chunk.css ?? []) styles.add(style)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of ENTRIES[page]) visit(entry)
  const sum = (files: Iterable<string>) => [...files].reduce((all, file) => all + sent(join(dist, file)), 0)
  return { script: sum(scripts), style: sum(styles), files: [...scripts, ...styles] }
}

/** Bytes on the line to a browser of today. */
const sent = (path: string) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
