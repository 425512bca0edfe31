/** Prepares the data folder before use: creates it when missing, closes it to other users of the machine. */
import { access, constants, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { BESIDE_DATABASE, DATABASE_FILE } from './database/sqlite-file.ts'
import { INSTANCE_FOLDERS } from './database/sqlite-swap.ts'
import { DEFAULT_TARGET } from './features/backup/targets.ts'
import type { Log } from './log.ts'
import { closeAllToOthers } from './storage/close-to-others.ts'
import { errorCode, keepNewFilesPrivate } from './storage/platform.ts'

const DATABASE_FILES = ['', ...BESIDE_DATABASE].map(end => DATABASE_FILE + end)
const INSIDE = [...INSTANCE_FOLDERS, DEFAULT_TARGET, ...DATABASE_FILES]

/** Rejects with `ConfigError` where the folder cannot be used. */
export async function openDataFolder(dataDir: string, log: Log): Promise<void> {
  keepNewFilesPrivate()
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(dataDir, error) ?? error
  }
  // Before the database is opened: SQLite gives its side files (`-wal`, `-shm`) the rights of the database file.
  await closeInstance(dataDir, log)
}

/** The error that says in a sentence why `dataDir` cannot be used; null when `error` has another cause. */
export function unusable(dataDir: string, error: unknown): ConfigError | null {
  const reason = reasonOf(errorCode(error))
  return reason === null
    ? null
    : new ConfigError(`Der Datenordner ${dataDir} ist nicht benutzbar: ${reason}.`)
}

function reasonOf(code: string): string | null {
  switch (code) {
    case 'EEXIST':
      return 'er ist eine Datei und kein Ordner'
    case 'ENOTDIR':
      return 'auf dem Weg dorthin liegt eine Datei und kein Ordner'
    case 'ENOENT':
      return 'dort lässt sich kein Ordner anlegen'
    case 'EACCES':
    case 'EPERM':
    case 'SQLITE_CANTOPEN':
      return 'dort fehlen diesem Benutzerkonto die nötigen Rechte'
    case 'EROFS':
      return 'der Datenträger ist schreibgeschützt'
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return `die Datei ${DATABASE_FILE} darin ist keine lesbare Datenbank`
    case 'NEWER_DATABASE':
      return `die Datenbank ${DATABASE_FILE} darin stammt von einer neueren Version von Fundus und blieb unverändert`
    case 'DATABASE_IN_USE':
    case 'SQLITE_BUSY':
      return 'ein anderer Prozess, etwa fundus restore oder rebuild, hat die Datenbank darin gerade für sich allein'
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return 'der Datenträger ist voll'
    default:
      // The database file may belong to another user even when the folder does not.
      return code.startsWith('SQLITE_READONLY') ? 'die Datenbank darin lässt sich nicht beschreiben' : null
  }
}

/**
 * Closes the top-level folders and the database files. Other users cannot pass the closed folders to reach the objects
 * below. The objects keep the rights they were created with, because there may be a million of them.
 */
async function closeInstance(dataDir: string, log: Log): Promise<void> {
  const inside = INSIDE.map(name => join(dataDir, name))
  if (await isOfOthers(dataDir))
    log.warn('other things lie in the data folder and no installation: it stays open to other users', {
      dataDir,
    })
  else inside.unshift(dataDir)
  await closeAllToOthers(inside, log)
}

/**
 * True when the folder holds foreign files and nothing of Fundus: a mistake such as `DATA_DIR=/srv` must not lock other
 * users out of their folder. Files and folders that the service creates there are closed from the start.
 */
async function isOfOthers(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir)
  return names.length > 0 && !names.some(name => INSIDE.includes(name))
}
