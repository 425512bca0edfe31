/**
 * Finds the bundled program in `dist/`. It has far fewer files than the sources and their packages, so it
 * starts faster and takes less memory. Outside a release archive, a bundle that is older than its sources or
 * packages is not used.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bundledEntryPoint, PROGRAM_FOLDER, SOURCE_FOLDER } from '../../base/program-files.ts'
import { IS_FROM_RELEASE_ARCHIVE } from '../../base/version.ts'

export const PROGRAM_ENTRY_POINT = 'program/command-line.ts'
const BUNDLE_ENTRY = bundledEntryPoint(PROGRAM_ENTRY_POINT)
/** npm's list of the installed packages. `npm install` writes it, and so makes the bundle outdated. */
const INSTALLED_PACKAGES_FILE = join(PROGRAM_FOLDER, 'node_modules/.package-lock.json')

/**
 * The entry file of the bundle; null if there is none, or if the files cannot be examined. Outside a release
 * archive also null if the sources or packages have changed since the build.
 */
export function currentBundle(): string | null {
  try {
    const bundleTime = changeTimeOf(BUNDLE_ENTRY)
    // The sources in a release archive do not change, and unpacking may alter file times.
    return bundleTime > 0 && (IS_FROM_RELEASE_ARCHIVE || newestSourceTime() < bundleTime)
      ? BUNDLE_ENTRY
      : null
  } catch {
    // The program then runs from its sources. If one of them cannot be read, that run reports the error.
    return null
  }
}

function newestSourceTime(): number {
  const names = readdirSync(SOURCE_FOLDER, { recursive: true, encoding: 'utf8' })
  const sources = names.filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return Math.max(
    ...sources.map(name => changeTimeOf(join(SOURCE_FOLDER, name))),
    ...[join(PROGRAM_FOLDER, 'package.json'), INSTALLED_PACKAGES_FILE].map(changeTimeOf),
  )
}

/** Modification time in milliseconds; 0 if there is no such file. */
const changeTimeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
