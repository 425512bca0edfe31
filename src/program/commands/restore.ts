/** `fundus restore`: restores an instance from the archive of a backup. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beginNewInstance, instanceLocation, openAdapters } from '../../adapters/adapters.ts'
import { newId } from '../../base/ids.ts'
import type { Config } from '../../config/config.ts'
import { dropKeptStates } from '../../database/postgres/drop-kept-states.ts'
import { openBucketPlace } from '../../features/backup/bucket/bucket-place.ts'
import { type BucketTarget, bucketFromSettings } from '../../features/backup/bucket/bucket-target.ts'
import type { ArchiveAddress } from '../../features/restore/archive-source.ts'
import { discardEarlierObjects } from '../../features/restore/discard-kept.ts'
import { checkArchive, type RestoreResult, restoreArchive } from '../../features/restore/restore.ts'
import { findAccountsWithUnreadableApp } from '../../features/session/factors/unreadable-apps.ts'
import { createSettings } from '../../features/settings/settings.ts'
import { setPrivateUmask } from '../../storage/local/platform.ts'
import { removeTree } from '../../storage/local/remove-tree.ts'
import { BUCKET_INSTANCE_KEY, DISK_INSTANCE_KEY } from '../../storage/names.ts'
import type { Formatter } from '../formatter.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { parseWords } from './options.ts'
import { commandErrorOf } from './trouble.ts'

const OPTIONS = {
  from: { type: 'string' },
  into: { type: 'string' },
  force: { type: 'boolean' },
  'skip-missing': { type: 'boolean' },
  'check-only': { type: 'boolean' },
  'remove-kept': { type: 'boolean' },
} as const

export const command: Command = {
  keepsUser: true,
  help: [
    `fundus restore <Archiv | Ordner> [--into <Ordner>] [--force] [--skip-missing] [--check-only]
fundus restore --from s3 [<Name des Archivs>] [--into <Ordner>] [--force] [--check-only]
fundus restore --remove-kept

  Prüft das ganze Archiv samt dem Inhalt der Dateien und legt den Bestand dann in DATA_DIR an, oder in PostgreSQL und
  Objektspeicher, wenn sie eingestellt sind. Der Inhalt liegt im Ordner „bestand“ neben dem Archiv, oder im Archiv selbst,
  wenn es heruntergeladen wurde. Von einem Ordner der Sicherung wird das neueste Archiv genommen. Der Dienst darf dabei
  nirgends laufen. Danach melden sich alle neu an; Vorschauen entstehen beim nächsten Start von selbst.

  --from s3           aus dem Bucket, den SICHERUNG_S3_* nennen (aus der Umgebung, sonst aus den Einstellungen des Bestands),
                      mit SICHERUNG_PASSWORT, wenn er verschlüsselt ist; ohne Namen das neueste Archiv
  --into <Ordner>     in diesen Ordner statt dorthin, wo der Dienst eingestellt ist
  --force             auch wenn dort schon ein Bestand liegt; er wird nicht gelöscht, sondern aufgehoben: in einem
                      Ordner vorher-<Zeit> daneben, in PostgreSQL in einem Schema fundus_vorher-<Zeit>
  --skip-missing      auch wenn im Objektspeicher Dateien fehlen, die ein Archiv nennt, das nur die Liste enthält
  --check-only        nur prüfen, ob das Archiv unversehrt ist
  --remove-kept       entfernt, was Wiederherstellungen in PostgreSQL und Objektspeicher aufgehoben haben`,
    `fundus restore <archive | folder> [--into <folder>] [--force] [--skip-missing] [--check-only]
fundus restore --from s3 [<name of the archive>] [--into <folder>] [--force] [--check-only]
fundus restore --remove-kept

  Checks the whole archive and the contents of its files, then makes the instance in DATA_DIR, or in PostgreSQL and the object
  store where they are set. The contents are in the folder “bestand” beside the archive, or in the archive itself if it was
  downloaded. Of a backup folder the newest archive is taken. The service may run nowhere meanwhile. Afterwards everybody
  signs in anew; previews are made at the next start.

  --from s3           from the bucket that SICHERUNG_S3_* name (in the environment, else in the settings of the instance), with
                      SICHERUNG_PASSWORT if it is encrypted; without a name the newest archive
  --into <folder>     into this folder instead of where the service is set up
  --force             also when an instance lies there already; it is not deleted but kept: in a folder vorher-<time> beside it,
                      in PostgreSQL in a schema fundus_vorher-<time>
  --skip-missing      also when files are missing in the object store that an archive of the list alone names
  --check-only        only check whether the archive is intact
  --remove-kept       removes what restores have kept in PostgreSQL and the object store`,
  ],

  async run({ config: serviceConfig, log, args, formatter, print, startProgress, becomeOwnerOf }) {
    const { localize } = formatter
    const { positionals, values } = parseWords(args, OPTIONS, 1)
    if (values['remove-kept']) return removeKeptStates({ config: serviceConfig, log, formatter, print })
    const [typedArchive] = positionals
    await using source = await openSource(typedArchive, values.from, { config: serviceConfig, log })
    const isCheckOnly = values['check-only'] ?? false
    setPrivateUmask()
    const progress = isCheckOnly
      ? startProgress('Prüfung', 'Check')
      : startProgress('Wiederherstellung', 'Restore')
    const config =
      values.into === undefined
        ? serviceConfig
        : { ...serviceConfig, sharedServices: null, dataDir: resolve(values.into) }
    const location = instanceLocation(config)
    try {
      if (isCheckOnly) {
        const { manifest, file } = await checkArchive(source.address, progress.update).finally(progress.end)
        printChosenArchive(typedArchive, file, { formatter, print })
        const contentsText = describeContents(manifest, formatter)
        print(
          localize(`Das Archiv ist unversehrt: ${contentsText}.`, `The archive is intact: ${contentsText}.`),
        )
        return
      }
      const { force = false, 'skip-missing': skipMissing = false } = values
      const begin = (attemptId: string) => {
        // The process gives up root only after the archive was opened, because the owner of the data folder
        // may not be able to read the archive.
        becomeOwnerOf(config.dataDir)
        return beginNewInstance(config, { log, attemptId })
      }
      const parts = { begin, onProgress: progress.update }
      const restoreOptions = {
        address: source.address,
        location,
        force,
        allowsMissingObjects: skipMissing,
      }
      const restoreResult = await restoreArchive(parts, restoreOptions).finally(progress.end)
      printChosenArchive(typedArchive, restoreResult.file, { formatter, print })
      printReport(restoreResult, config, { formatter, print })
      await printUnreadableAuthenticators({ config, log, formatter, print })
    } catch (error) {
      throw commandErrorOf(error)
    }
  },
}

type OutputParts = Pick<CommandContext, 'formatter' | 'print'>

type InstanceContext = Pick<CommandContext, 'config' | 'log'>

/**
 * Opens the source of the restore. Disposing of the result removes the files that were fetched from a bucket.
 */
async function openSource(
  typedArchive: string | undefined,
  sourceKind: string | undefined,
  instance: InstanceContext,
): Promise<{ address: ArchiveAddress } & AsyncDisposable> {
  if (sourceKind === undefined) {
    if (typedArchive !== undefined) return { address: typedArchive, async [Symbol.asyncDispose]() {} }
    throw new UsageError(
      'Es fehlt der Name des Archivs, mehr dazu sagt „fundus help restore“.',
      'The name of the archive is missing; “fundus help restore” says more.',
    )
  }
  const target = sourceKind === 's3' ? await findBucket(instance) : null
  if (target === null)
    throw new UsageError(
      'Wiederherstellen lässt sich mit „--from s3“ aus dem Bucket, den SICHERUNG_S3_ENDPOINT und SICHERUNG_S3_BUCKET nennen; sie sind nicht gesetzt.',
      '“--from s3” restores from the bucket that SICHERUNG_S3_ENDPOINT and SICHERUNG_S3_BUCKET name; they are not set.',
    )
  const scratch = await mkdtemp(join(tmpdir(), 'fundus-'))
  const removeScratch = async () => {
    await removeTree(scratch)
  }
  try {
    const place = await openBucketPlace({ target, scratch, newId, now: Date.now, createKey: false })
    return { address: { place, archive: typedArchive }, [Symbol.asyncDispose]: removeScratch }
  } catch (error) {
    await removeScratch()
    throw commandErrorOf(error)
  }
}

/**
 * The bucket that the environment names, otherwise the one in the settings that the instance has saved; null
 * if there is none, or if the instance cannot be opened.
 */
async function findBucket({ config, log }: InstanceContext): Promise<BucketTarget | null> {
  const { environment, port } = config
  const target = bucketFromSettings(createSettings({ environment, port }).current())
  if (target !== null) return target
  try {
    await using adapters = await openAdapters(config, { log })
    return bucketFromSettings(createSettings({ environment, port, database: adapters.database }).current())
  } catch {
    return null
  }
}

/** Prints which archive was chosen, unless the operator named it. */
function printChosenArchive(
  typedArchive: string | undefined,
  file: string,
  { formatter, print }: OutputParts,
): void {
  if (file !== typedArchive)
    print(formatter.localize(`Das neueste Archiv dort: ${file}`, `The newest archive there: ${file}`))
}

function printReport(
  {
    manifest,
    missing: missingPaths,
    altered: alteredPaths,
    corrected: correctedPaths,
    resumed: resumedCount,
    previousLocation,
  }: RestoreResult,
  config: Config,
  { formatter, print }: OutputParts,
) {
  const { localize } = formatter
  const contentsText = describeContents(manifest, formatter)
  print(
    localize(
      `Wiederhergestellt in ${instanceLocation(config)}: ${contentsText}.`,
      `Restored in ${instanceLocation(config)}: ${contentsText}.`,
    ),
  )
  if (resumedCount > 0)
    print(
      localize(
        `Davon lagen ${resumedCount} schon da, von einer abgebrochenen Wiederherstellung.`,
        `${resumedCount} of them were there already, from an interrupted restore.`,
      ),
    )
  if (previousLocation && config.sharedServices)
    print(
      localize(
        `Was vorher dort lag, ist im Schema ${previousLocation}. Stimmt alles: fundus restore --remove-kept`,
        `What was there before is in the schema ${previousLocation}. Once all is well: fundus restore --remove-kept`,
      ),
    )
  else if (previousLocation)
    print(
      localize(
        `Was vorher dort lag, ist in ${previousLocation} und kann gelöscht werden, wenn alles stimmt.`,
        `What was there before is in ${previousLocation} and can be deleted once all is well.`,
      ),
    )
  const printList = (heading: string, paths: string[]) => {
    if (paths.length > 0)
      print([heading, ...formatter.nameLines({ count: paths.length, names: paths })].join('\n'))
  }
  const missingHeading = manifest.nur_liste
    ? localize('Diese Dateien fehlen im Objektspeicher:', 'These files are missing in the object store:')
    : localize(
        'Diese Dateien fehlten schon, als die Sicherung gemacht wurde:',
        'These files were missing already when the backup was made:',
      )
  printList(missingHeading, missingPaths)
  printList(
    localize(
      'Diese Dateien waren schon beschädigt, als die Sicherung gemacht wurde:',
      'These files were damaged already when the backup was made:',
    ),
    alteredPaths,
  )
  printList(
    localize(
      'Bei diesen Dateien stimmte der Eintrag in der Sicherung nicht; Typ und Größe folgen nun Namen und Inhalt:',
      'The records of these files were wrong in the backup; type and size now follow name and content:',
    ),
    correctedPaths,
  )
}

/**
 * Prints the names of accounts whose authenticator apps do not work after the restore. No archive contains
 * the key that decrypts the secrets of the apps, so that an archive alone never gives access to a second
 * factor.
 */
async function printUnreadableAuthenticators({
  config,
  log,
  formatter,
  print,
}: InstanceContext & OutputParts): Promise<void> {
  await using adapters = await openAdapters(config, { log })
  const names = await findAccountsWithUnreadableApp(adapters)
  if (names.length === 0) return
  const heading = formatter.localize(
    `Die Authenticator-Apps dieser Konten gelten hier erst mit dem Schlüssel des gesicherten Bestands (${instanceKeyLocation(config)}); ohne ihn helfen ein Notfallcode, ein Passkey oder „fundus user password“:`,
    `The authenticator apps of these accounts count here only with the key of the instance that was backed up (${instanceKeyLocation(config)}); without it an emergency code, a passkey or “fundus user password” helps:`,
  )
  print([heading, ...formatter.nameLines({ count: names.length, names })].join('\n'))
}

const instanceKeyLocation = ({ sharedServices, dataDir }: Config) =>
  sharedServices ? BUCKET_INSTANCE_KEY : join(dataDir, DISK_INSTANCE_KEY)

/**
 * Drops the PostgreSQL schemas in which restores have kept earlier states of the instance. Objects of these
 * states that no row of the live database owns are put on its discard list; the service removes them later.
 */
async function removeKeptStates({
  config,
  log,
  formatter: { localize },
  print,
}: OutputParts & Pick<CommandContext, 'config' | 'log'>) {
  const { sharedServices } = config
  if (!sharedServices)
    throw new UsageError(
      `Was eine Wiederherstellung in ${config.dataDir} aufgehoben hat, sind Ordner vorher-<Zeit>: sie lassen sich löschen.`,
      `What a restore has kept in ${config.dataDir} are folders vorher-<time>: they can be deleted.`,
    )
  await using adapters = await openAdapters(config, { log })
  const { database, now } = adapters
  const connection = { url: sharedServices.databaseUrl, log }
  const removedStates = (
    await dropKeptStates(connection, database, keptDatabase =>
      discardEarlierObjects(keptDatabase, database, now()),
    )
  ).join(', ')
  print(
    removedStates === ''
      ? localize('Es ist nichts aufgehoben.', 'Nothing is kept.')
      : localize(`Entfernt: ${removedStates}.`, `Removed: ${removedStates}.`),
  )
}

interface ArchiveSummary {
  dateien: number
  papierkorb: number
  bytes: number
  zeit: number
}

function describeContents(
  { dateien, papierkorb, bytes, zeit }: ArchiveSummary,
  formatter: Formatter,
): string {
  const { localize, formatTime } = formatter
  const filesText =
    dateien === 1 ? localize('eine Datei', 'one file') : localize(`${dateien} Dateien`, `${dateien} files`)
  const sizeText = formatter.formatSize(bytes)
  return localize(
    `${filesText}, ${papierkorb} im Papierkorb, zusammen ${sizeText}, Stand ${formatTime(zeit)}`,
    `${filesText}, ${papierkorb} in the trash, ${sizeText} altogether, as of ${formatTime(zeit)}`,
  )
}
