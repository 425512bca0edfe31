/**
 * The checks of `fundus doctor` for the data: permissions, space, clock, lost changes, and backups with their
 * targets and rehearsals. The test files that they write are removed immediately.
 */
import { existsSync } from 'node:fs'
import { access, constants, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceLocation, MissingInstanceError, openAdapters } from '../../../adapters/adapters.ts'
import { dataFolderError } from '../../../adapters/data-folder.ts'
import { newId } from '../../../base/ids.ts'
import type { TextPair } from '../../../base/language.ts'
import type { Log } from '../../../base/log.ts'
import { IS_FROM_RELEASE_ARCHIVE } from '../../../base/version.ts'
import { type Config, ConfigError } from '../../../config/config.ts'
import type { BackupReport, RehearsalReport } from '../../../contract/service/backup.ts'
import { MAX_BACKUP_AGE, SPACE_LIMIT_PERCENT } from '../../../contract/service/status.ts'
import { WARNINGS, type WarningCode } from '../../../contract/service/warnings.ts'
import { formatBytes } from '../../../contract/values/bytes.ts'
import { ownValue } from '../../../contract/values/own-value.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../contract/values/units.ts'
import { ENGLISH_SENTENCES } from '../../../contract/words/english.ts'
import { BackupTrouble } from '../../../errors/errors.ts'
import {
  type BucketTarget,
  bucketFromSettings,
  bucketName,
} from '../../../features/backup/bucket/bucket-target.ts'
import { createPlaceInspector } from '../../../features/backup/places/place-inspector.ts'
import { createTargetNames, foldersOf } from '../../../features/backup/places/targets.ts'
import { lastEndedRun } from '../../../features/backup/run/backup.store.ts'
import { lastRehearsal } from '../../../features/backup/run/rehearsal.store.ts'
import { spaceWarnings } from '../../../features/backup/space-outlook.ts'
import { inspectPlaces } from '../../../features/backup/state.ts'
import { createSettings, type Settings } from '../../../features/settings/settings.ts'
import { instanceCreatedAt } from '../../../features/status/status.store.ts'
import { createClockWatch } from '../../../jobs/clock-watch.ts'
import { nearestExisting } from '../../../storage/local/exists.ts'
import { diskSpace, usedPercent } from '../../../storage/local/space.ts'
import { lostChangesText } from '../accept.ts'
import { type Finding, hintFinding, okFinding, wrongFinding } from './doctor-finding.ts'

/**
 * Maximum difference in milliseconds between the clock of this machine and the clock of the data. The clock
 * of the data is that of the database server, or that of the machine that stamps files in the data folder;
 * for a network drive, this is another machine.
 */
const CLOCK_TOLERANCE = 5 * SECOND

const BACKUP_CHECK = ['Sicherung', 'Backup'] as const
const RIGHTS_CHECK = ['Rechte', 'Rights'] as const

interface Examination {
  findings: Finding[]
  /**
   * The public address in force; null if none is set. If there is no instance yet or it cannot be read, this
   * is the address in the environment. Undefined if it is unknown: the instance cannot be read, and the
   * environment names no address.
   */
  publicUrl: string | null | undefined
}

export async function examineData(config: Config, log: Log): Promise<Examination> {
  const folderResults = await folderFindings(config.dataDir)
  const isUsable = folderResults.every(({ state }) => state !== 'wrong')
  if (!isUsable) return { findings: folderResults, publicUrl: config.environment.PUBLIC_URL || undefined }
  const instanceResults = await instanceFindings(config, log)
  return { ...instanceResults, findings: [...folderResults, ...instanceResults.findings] }
}

const START_COMMAND = IS_FROM_RELEASE_ARCHIVE ? 'fundus start' : 'npm start'

const noInstanceFinding = (config: Config) =>
  hintFinding(
    BACKUP_CHECK,
    `In ${instanceLocation(config)} gibt es noch keinen Bestand; „${START_COMMAND}“ legt ihn an. Sollte dort einer sein, stimmt DATA_DIR nicht.`,
    `There is no instance in ${instanceLocation(config)} yet; “${START_COMMAND}” makes one. If there should be one, DATA_DIR is wrong.`,
  )

async function folderFindings(dataDir: string): Promise<Finding[]> {
  const probeFile = join(dataDir, `doctor-${newId()}`)
  try {
    if (!existsSync(dataDir)) {
      // The service creates the folder at startup, if it has the permission.
      const existingParent = await nearestExisting(dataDir)
      await access(existingParent, constants.W_OK | constants.X_OK)
      return [writableFinding(dataDir), await spaceFinding(existingParent)]
    }
    await writeFile(probeFile, '')
    const { mtimeMs } = await stat(probeFile)
    return [writableFinding(dataDir), await spaceFinding(dataDir), clockFinding(mtimeMs - Date.now())]
  } catch (error) {
    const { message, english } = dataFolderError(dataDir, error) ?? new ConfigError(`${dataDir}: ${error}`)
    return [wrongFinding(RIGHTS_CHECK, message, english)]
  } finally {
    await rm(probeFile, { force: true }).catch(() => {})
  }
}

const writableFinding = (dataDir: string): Finding =>
  okFinding(
    RIGHTS_CHECK,
    `Im Datenordner ${dataDir} darf geschrieben werden.`,
    `The data folder ${dataDir} can be written to.`,
  )

async function spaceFinding(folder: string): Promise<Finding> {
  const checkName = ['Platz', 'Disk'] as const
  const space = await diskSpace(folder)
  if (!space)
    return hintFinding(
      checkName,
      'Das System sagt nicht, wie viel frei ist.',
      'The system does not say how much is free.',
    )
  const percentUsed = usedPercent(space)
  const percent = Math.floor(percentUsed)
  const freeSpaceText = (language: 'de' | 'en') => formatBytes(space.free, language)
  return percentUsed < SPACE_LIMIT_PERCENT
    ? okFinding(
        checkName,
        `${freeSpaceText('de')} sind frei (${percent} % belegt).`,
        `${freeSpaceText('en')} are free (${percent} % used).`,
      )
    : wrongFinding(
        checkName,
        `Nur ${freeSpaceText('de')} sind frei (${percent} % belegt): bitte Platz schaffen oder DATA_DIR auf eine größere Platte legen.`,
        `Only ${freeSpaceText('en')} are free (${percent} % used): please free some space or put DATA_DIR on a larger disk.`,
      )
}

function clockFinding(clockOffset: number): Finding {
  const checkName = ['Uhr', 'Clock'] as const
  if (Math.abs(clockOffset) <= CLOCK_TOLERANCE) {
    const nowText = new Date().toString().slice(0, 33)
    return okFinding(checkName, `Es ist ${nowText}.`, `It is ${nowText}.`)
  }
  const seconds = Math.round(Math.abs(clockOffset) / SECOND)
  return wrongFinding(
    checkName,
    `Die Uhr dieses Rechners und die der Daten gehen ${seconds} Sekunden auseinander; bitte beide stellen lassen (NTP).`,
    `The clock of this machine and that of the data differ by ${seconds} seconds; please have both set (NTP).`,
  )
}

const INSTANCE_CHECK: TextPair = ['Bestand', 'Instance']

const CLOCK_JUMPED_FINDING = hintFinding(
  ['Uhr', 'Clock'],
  'Seit der letzten Aufzeichnung liegt mehr als ein Tag. War der Dienst so lange aus, so ist nichts zu tun; sonst bitte die Uhr stellen (NTP). Bis das geklärt ist, wird nichts wegen seines Alters entfernt.',
  'More than a day lies between the last recorded time and now. If the service was off for so long, nothing needs to be done; otherwise please set the clock (NTP). Until this is settled, nothing is removed because of its age.',
)

async function instanceFindings(config: Config, log: Log): Promise<Examination> {
  const { environment, port } = config
  try {
    await using adapters = await openAdapters(config, { log })
    const { database, now } = adapters
    const settings = createSettings({ environment, port, database })
    const { values, sources } = settings.resolution()
    const [lastRun, createdAt] = await Promise.all([
      lastEndedRun(database.read),
      instanceCreatedAt(database.read),
    ])
    return {
      findings: [
        ...(config.sharedServices ? [clockFinding(database.clockOffset())] : []),
        ...((await createClockWatch({ database, now, log }).isDoubted()) ? [CLOCK_JUMPED_FINDING] : []),
        ...lostChangesFindings(await adapters.lostChanges.find()),
        backupFinding(lastRun?.report ?? null, { now: now(), createdAt }),
        ...rehearsalFindings(await lastRehearsal(database.read), now()),
        ...(await backupSpaceFindings(adapters, settings, config.dataDir)),
        ...(await bucketFindings(bucketFromSettings(values))),
      ],
      publicUrl: sources.PUBLIC_URL === 'vorgabe' ? null : values.PUBLIC_URL,
    }
  } catch (error) {
    if (error instanceof MissingInstanceError)
      return { findings: [noInstanceFinding(config)], publicUrl: environment.PUBLIC_URL || null }
    if (!(error instanceof ConfigError)) throw error
    return {
      findings: [wrongFinding(INSTANCE_CHECK, error.message, error.english)],
      publicUrl: environment.PUBLIC_URL || undefined,
    }
  }
}

const lostChangesFindings = (lossFile: string | null): Finding[] =>
  lossFile === null ? [] : [wrongFinding(INSTANCE_CHECK, ...lostChangesText(lossFile))]

const BUCKET_CHECK: TextPair = ['Bucket', 'Bucket']

/** Tests the bucket: reads its encryption key, if there is one, and writes and removes a test file. */
async function bucketFindings(target: BucketTarget | null): Promise<Finding[]> {
  if (target === null) return []
  const { probeBucket } = await import('../../../features/backup/bucket/inspect-bucket.ts')
  const name = bucketName(target)
  try {
    await probeBucket(target, Date.now)
    return [
      okFinding(
        BUCKET_CHECK,
        `Der Bucket ${name} nimmt Sicherungen an.`,
        `The bucket ${name} accepts backups.`,
      ),
    ]
  } catch (error) {
    if (!(error instanceof BackupTrouble)) throw error
    return [
      wrongFinding(
        BUCKET_CHECK,
        error.sentence,
        englishFailureText({ fehler: error.sentence, fehler_codes: [error.code] }),
      ),
    ]
  }
}

function backupFinding(
  lastReport: Pick<BackupReport, 'ok' | 'zeit' | 'fehler' | 'fehler_codes'> | null,
  { now, createdAt }: { now: number; createdAt: number },
): Finding {
  const hoursSince = (time: number) => Math.floor((now - time) / HOUR)
  if (lastReport && !lastReport.ok)
    return wrongBackupFinding(
      `Die letzte ist misslungen: ${lastReport.fehler ?? ''}`,
      `The last one failed: ${englishFailureText(lastReport)}`,
    )
  if (lastReport && lastReport.zeit > now + MINUTE)
    return wrongBackupFinding(
      'Die letzte trägt ein Datum in der Zukunft und zählt nicht; bitte auch die Uhr prüfen.',
      'The last one is dated in the future and does not count; please check the clock as well.',
    )
  if (now - (lastReport?.zeit ?? createdAt) > MAX_BACKUP_AGE)
    return lastReport
      ? wrongBackupFinding(
          `Die letzte ist ${hoursSince(lastReport.zeit)} Stunden alt.`,
          `The last one is ${hoursSince(lastReport.zeit)} hours old.`,
        )
      : wrongBackupFinding('Es gibt noch keine.', 'There is none yet.')
  if (!lastReport)
    return hintFinding(
      BACKUP_CHECK,
      'Es gibt noch keine; die erste entsteht heute Nacht, oder jetzt mit „fundus backup“.',
      'There is none yet; the first one is made tonight, or now with “fundus backup”.',
    )
  return okFinding(
    BACKUP_CHECK,
    `Die letzte gelang vor ${hoursSince(lastReport.zeit)} Stunden.`,
    `The last one succeeded ${hoursSince(lastReport.zeit)} hours ago.`,
  )
}

function rehearsalFindings(lastReport: RehearsalReport | null, now: number): Finding[] {
  if (lastReport === null) return []
  const days = Math.max(0, Math.floor((now - lastReport.zeit) / DAY))
  if (lastReport.ok)
    return [
      okFinding(
        BACKUP_CHECK,
        `Die letzte Probe der Wiederherstellung gelang vor ${days} Tagen.`,
        `The last rehearsed restore succeeded ${days} days ago.`,
      ),
    ]
  return [
    wrongFinding(
      BACKUP_CHECK,
      `Die letzte Probe der Wiederherstellung ist misslungen: ${lastReport.fehler ?? ''} „fundus backup --rehearse“ wiederholt sie.`,
      `The last rehearsed restore failed: ${englishFailureText(lastReport)} “fundus backup --rehearse” repeats it.`,
    ),
  ]
}

/**
 * Warns if the space at a target folder is not enough for the next backup, or soon will not be. Returns
 * nothing if the first target is not set and the data folder cannot serve as one, as with an object store.
 */
async function backupSpaceFindings(
  { database, storage }: Pick<Awaited<ReturnType<typeof openAdapters>>, 'database' | 'storage'>,
  settings: Settings,
  dataDir: string,
): Promise<Finding[]> {
  const targets = createTargetNames({ settings, storage, dataDir }).current()
  if (targets.isFirstUnset) return []
  const places = await inspectPlaces(createPlaceInspector(), foldersOf(targets))
  const warningCodes = await spaceWarnings(database.read, places)
  const warningText = (code: WarningCode): TextPair => [
    WARNINGS[code],
    ownValue(ENGLISH_SENTENCES, code) ?? WARNINGS[code],
  ]
  return warningCodes.map(code =>
    (code === 'space-too-small' ? wrongFinding : hintFinding)(BACKUP_CHECK, ...warningText(code)),
  )
}

const englishFailureText = ({
  fehler = '',
  fehler_codes = [],
}: Pick<BackupReport, 'fehler' | 'fehler_codes'>) =>
  fehler_codes.map(code => ownValue(ENGLISH_SENTENCES, code) ?? '').join(' ') || fehler

const wrongBackupFinding = (german: string, english: string): Finding =>
  wrongFinding(
    BACKUP_CHECK,
    `${german} „fundus backup“ macht jetzt eine und sagt, woran es liegt.`,
    `${english} “fundus backup” makes one now and says what is the matter.`,
  )
