/**
 * How many bytes a browser loads before a page is shown: the entry, the page, and all that they import
 * statically.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>

const ENTRY_MODULES = {
  files: ['index.html', 'src/files/page.tsx'],
  entrance: ['entrance.html'],
}

export function firstLoadSize(
  dist: string,
  page: keyof typeof ENTRY_MODULES = 'files',
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
  for (const entry of ENTRY_MODULES[page]) visit(entry)
  const sumOfSizes = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + transferSize(join(dist, file)), 0)
  return { script: sumOfSizes(scripts), style: sumOfSizes(styles), files: [...scripts, ...styles] }
}

/**
 * The size of a file in bytes as a current browser receives it: that of its Brotli version if the build has
 * made one.
 */
const transferSize = (path: string) => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
