/**
 * The program as a bundle, `dist/`: few files instead of some 850 sources and files of packages, which load
 * in half the time and take less memory. A bundle that is older than its sources is not run.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE, PROGRAM_FOLDER, SOURCES } from '../../base/program-files.ts'
import { IS_ARCHIVE } from '../../base/version.ts'

const ENTRY = join(BUNDLE, 'command-line.js')
/** What npm has installed, as npm itself keeps it. */
const INSTALLED = join(PROGRAM_FOLDER, 'node_modules/.package-lock.json')

/** The file to run; null where there is no bundle of these sources. */
export function currentBundle(): string | null {
  try {
    const made = changedAt(ENTRY)
    // An archive brings its bundle along, and nobody changes its sources.
    return made > 0 && (IS_ARCHIVE || newestSource() < made) ? ENTRY : null
  } catch {
    // Something that this user may not look at.
    return null
  }
}

function newestSource(): number {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const sources = names.filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return Math.max(
    ...sources.map(name => changedAt(join(SOURCES, name))),
    ...[join(PROGRAM_FOLDER, 'package.json'), INSTALLED].map(changedAt),
  )
}

/** 0 when there is no such file. */
const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
