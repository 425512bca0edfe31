/**
 * Prepares the data folder: creates it if it is missing, checks that the user of this process can use it, and
 * makes the files of the instance private. Also explains errors that concern the folder.
 */
import { closeSync, openSync } from 'node:fs'
import { access, constants, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TextPair } from '../base/language.ts'
import type { Log } from '../base/log.ts'
import { errorCode } from '../base/system/error-code.ts'
import { ConfigError } from '../config/config.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { DATABASE_FILE, INSTANCE_FOLDERS, SIDE_FILE_SUFFIXES } from '../database/sqlite/file.ts'
import { makeAllPrivate } from '../storage/local/make-private.ts'
import { setPrivateUmask } from '../storage/local/platform.ts'
import { RESERVE_FILE } from '../storage/local/reserve.ts'
import { DISK_INSTANCE_KEY } from '../storage/names.ts'
import { currentUserName, findForeignFile } from './owner.ts'

/**
 * The folder for backup archives inside the data folder. It is used unless the setting `SICHERUNG_ZIEL` names
 * another one; with shared storage that setting is required.
 */
export const DEFAULT_BACKUP_FOLDER = 'sicherung'

const DATABASE_FILES = ['', ...SIDE_FILE_SUFFIXES].map(suffix => DATABASE_FILE + suffix)
const INSTANCE_ENTRIES = [
  ...INSTANCE_FOLDERS,
  DEFAULT_BACKUP_FOLDER,
  ...DATABASE_FILES,
  DISK_INSTANCE_KEY,
  RESERVE_FILE,
]

/** Rejects with `ConfigError` if the folder cannot be used and the reason is known. */
export async function openDataFolder(dataDir: string, log: Log): Promise<void> {
  setPrivateUmask()
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw dataFolderError(dataDir, error) ?? error
  }
  refuseForeignFiles(dataDir, log)
  // This comes before the database is opened, because SQLite gives `-wal` and `-shm` the permissions of the
  // database file.
  await makeInstancePrivate(dataDir, log)
}

/**
 * Throws if files of the instance belong to another user and this process may not read and write them, for
 * example after root copied them here. For the backup folder, only logs a warning, because nothing but
 * backups needs it.
 */
function refuseForeignFiles(dataDir: string, log: Log): void {
  const backupFolder = join(dataDir, DEFAULT_BACKUP_FOLDER)
  const foreignEntry = findForeignFile(
    INSTANCE_ENTRIES.map(name => join(dataDir, name)).filter(path => path !== backupFolder),
  )
  const foreignBackupFolder = findForeignFile([backupFolder])
  if (foreignBackupFolder)
    log.warn('the folder of the backups belongs to another user: backups will fail', {
      ...foreignBackupFolder,
    })
  if (!foreignEntry) return
  const { path, owner } = foreignEntry
  const repairCommand = `chown -R ${currentUserName()} ${dataDir}`
  throw new ConfigError(
    `Der Datenordner ${dataDir} ist nicht benutzbar: ${path} gehört dem Benutzer ${owner}, und ${currentUserName()} darf darin nicht lesen und schreiben. Als root behebt das: ${repairCommand}`,
    `The data folder ${dataDir} cannot be used: ${path} belongs to the user ${owner}, and ${currentUserName()} may not read and write it. As root this repairs it: ${repairCommand}`,
  )
}

/** An error whose message explains why `dataDir` cannot be used; null if `error` has another cause. */
export function dataFolderError(dataDir: string, error: unknown): ConfigError | null {
  const reason = folderErrorReason(error, dataDir)
  if (reason === null) return null
  const [german, english] = reason
  return new ConfigError(
    `Der Datenordner ${dataDir} ist nicht benutzbar: ${german}.`,
    `The data folder ${dataDir} cannot be used: ${english}.`,
  )
}

/**
 * Like `dataFolderError`, but for an error from any step of a command. Errors of SQLite, a full disk and an
 * exhausted quota are taken to concern the data folder. For all other errors the result is null.
 */
export const dataFolderErrorInCommand = (dataDir: string, error: unknown): ConfigError | null =>
  /^(?:SQLITE_|ENOSPC$|EDQUOT$)/.test(errorCode(error)) ? dataFolderError(dataDir, error) : null

const withOtherFolderHint = (german: string, english: string): TextPair => [
  `${german}; einen anderen Ordner wählt DATA_DIR`,
  `${english}; DATA_DIR chooses another folder`,
]
const RIGHTS_MISSING = withOtherFolderHint(
  'dort fehlen diesem Benutzerkonto die nötigen Rechte',
  'this user lacks the necessary rights there',
)
const DISK_FULL = withOtherFolderHint(
  'der Datenträger ist voll, bitte Platz schaffen',
  'the disk is full, please free some space',
)
const DISK_ERROR = withOtherFolderHint(
  'der Datenträger meldet einen Lese- oder Schreibfehler, bitte ihn prüfen',
  'the disk reports a read or write error, please check it',
)
const UNREADABLE_DATABASE: TextPair = [
  `die Datei ${DATABASE_FILE} darin ist keine lesbare Datenbank; fundus restore holt eine Sicherung zurück, fundus rebuild baut sie aus den Dateien neu`,
  `its file ${DATABASE_FILE} is no readable database; fundus restore brings a backup back, fundus rebuild makes a new one from the files`,
]
const DATABASE_IN_USE: TextPair = [
  'ein anderer Prozess, etwa fundus restore oder rebuild, hat die Datenbank darin gerade für sich allein; bitte danach noch einmal starten',
  'another process, such as fundus restore or rebuild, has its database for itself; please start again afterwards',
]

const REASONS_BY_CODE: Readonly<Record<string, TextPair>> = {
  EEXIST: withOtherFolderHint('er ist eine Datei und kein Ordner', 'it is a file and no folder'),
  ENOTDIR: withOtherFolderHint(
    'auf dem Weg dorthin liegt eine Datei und kein Ordner',
    'on the way there lies a file and no folder',
  ),
  ENOENT: withOtherFolderHint('dort lässt sich kein Ordner anlegen', 'no folder can be made there'),
  EACCES: RIGHTS_MISSING,
  EPERM: RIGHTS_MISSING,
  EROFS: withOtherFolderHint('der Datenträger ist schreibgeschützt', 'the disk is read-only'),
  EIO: DISK_ERROR,
  SQLITE_NOTADB: UNREADABLE_DATABASE,
  SQLITE_CORRUPT: UNREADABLE_DATABASE,
  NEWER_DATABASE: [
    `die Datenbank ${DATABASE_FILE} darin stammt von einer neueren Version von Fundus und blieb unverändert; bitte diese Version starten`,
    `its database ${DATABASE_FILE} is of a newer version of Fundus and was left as it is; please start that version`,
  ],
  UNFLUSHED_DATABASE: [
    `der Datenträger hat beim Schreiben der Datenbank ${DATABASE_FILE} Fehler gemeldet; bitte ihn prüfen, den Rechner neu starten und dann den Dienst`,
    `the disk has reported errors while the database ${DATABASE_FILE} was written; please check it, restart the machine, then the service`,
  ],
  DATABASE_IN_USE,
  SQLITE_BUSY: DATABASE_IN_USE,
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  SQLITE_FULL: DISK_FULL,
  // SQLite could not extend the `-shm` file.
  SQLITE_IOERR_SHMSIZE: DISK_FULL,
}

/**
 * Used if SQLite reports a read-only database: the file may belong to another user although the folder does
 * not.
 */
const READ_ONLY_DATABASE: TextPair = [
  'die Datenbank darin lässt sich nicht beschreiben; sie gehört vielleicht einem anderen Benutzerkonto',
  'its database cannot be written to; it may belong to another user',
]

/**
 * Finds out why SQLite could not open the database file (SQLITE_CANTOPEN names no reason), by opening the
 * file itself.
 */
function findOpenErrorReason(dataDir: string): TextPair {
  try {
    closeSync(openSync(join(dataDir, DATABASE_FILE), 'r+'))
    return RIGHTS_MISSING
  } catch (error) {
    return errorCode(error) === 'EIO' ? DISK_ERROR : RIGHTS_MISSING
  }
}

function folderErrorReason(error: unknown, dataDir: string): TextPair | null {
  const code = errorCode(error)
  // A full disk as the cause of the error is reported, whatever operation failed because of it.
  const causeReason = error instanceof Error ? ownValue(REASONS_BY_CODE, errorCode(error.cause)) : undefined
  if (causeReason === DISK_FULL) return DISK_FULL
  if (code === 'SQLITE_CANTOPEN') return findOpenErrorReason(dataDir)
  if (code.startsWith('SQLITE_IOERR')) return ownValue(REASONS_BY_CODE, code) ?? DISK_ERROR
  return ownValue(REASONS_BY_CODE, code) ?? (code.startsWith('SQLITE_READONLY') ? READ_ONLY_DATABASE : null)
}

/**
 * Makes the folders and files of the instance private. Makes the data folder private too, unless it contains
 * files but none of an instance. The permissions of stored objects are not changed, as there may be a
 * million; the private folders protect them.
 */
async function makeInstancePrivate(dataDir: string, log: Log): Promise<void> {
  const entries = INSTANCE_ENTRIES.map(name => join(dataDir, name))
  if (await hasOnlyUnrelatedFiles(dataDir))
    log.warn('other things lie in the data folder and no installation: it stays open to other users', {
      dataDir,
    })
  else entries.unshift(dataDir)
  await makeAllPrivate(entries, log)
}

/**
 * Whether the data folder contains files or folders, but none of an instance. Its permissions are then left
 * as they are, because a mistake such as `DATA_DIR=/srv` must not lock others out of their folder. What the
 * service creates there is private from the start.
 */
async function hasOnlyUnrelatedFiles(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir)
  return names.length > 0 && !names.some(name => INSTANCE_ENTRIES.includes(name))
}
