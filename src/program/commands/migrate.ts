/** `fundus migrate`: copies everything from a data folder to PostgreSQL and an object store, or back. */
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { beginNewInstance, instanceLocation } from '../../adapters/adapters.ts'
import { openStoppedInstance } from '../../adapters/stopped-instance.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { DatabaseInUseError, type InstanceReplacement } from '../../database/replacement.ts'
import { restoreRefusal, restoreTrouble } from '../../errors/errors.ts'
import { totalFileAmount } from '../../features/integrity/owners.ts'
import { copyInstance, type MigrationReport } from '../../features/migrate/migrate.ts'
import { hasLiveData } from '../../features/restore/restore.ts'
import { MARK_LENGTH } from '../../storage/names.ts'
import type { Formatter } from '../formatter.ts'
import { type Command, UsageError } from './command.ts'
import { parseOptions } from './options.ts'
import { commandErrorOf } from './trouble.ts'

const OPTIONS = {
  to: { type: 'string' },
  force: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

export const command: Command = {
  keepsUser: true,
  help: [
    `fundus migrate --to <Datei> [--dry-run] [--force]

  Kopiert den ganzen Bestand in die andere Betriebsart: aus DATA_DIR nach PostgreSQL und Objektspeicher, oder zurück. Die
  Datei nennt das Ziel, mit einer Umgebungsvariablen je Zeile (DATA_DIR=…, DATABASE_URL=…, S3_ENDPOINT=… und so fort); nur
  was darin steht, gilt für das Ziel. An beiden Orten darf kein Dienst laufen. Zuerst werden die Dateien kopiert, dann die
  Einträge, dann wird alles zurückgelesen und verglichen; erst danach gilt der Bestand am Ziel. Die Quelle bleibt, wie sie
  ist. Ein abgebrochener Lauf geht beim nächsten Mal dort weiter, wo er war.

  Danach melden sich alle neu an; Vorschauen entstehen beim nächsten Start von selbst.

  --to <Datei>        die Umgebung des Ziels
  --dry-run           nur prüfen und zeigen, was zu tun wäre
  --force             auch wenn am Ziel schon ein Bestand liegt; er wird aufgehoben wie bei fundus restore`,
    `fundus migrate --to <file> [--dry-run] [--force]

  Copies the whole instance into the other mode: from DATA_DIR to PostgreSQL and an object store, or back. The file names the
  target, with one environment variable in each line (DATA_DIR=…, DATABASE_URL=…, S3_ENDPOINT=… and so on); only what it contains
  counts for the target. No service may run in either place. First the files are copied, then the records, then everything is
  read back and compared; only then does the instance count at the target. The source stays as it is. A run that broke off goes
  on where it was.

  Afterwards everybody signs in anew; previews are made at the next start.

  --to <file>         the environment of the target
  --dry-run           only check and show what would be done
  --force             also when an instance lies at the target already; it is kept as by fundus restore`,
  ],

  async run({ config, log, args, formatter, print, startProgress, becomeOwnerOf }) {
    const { localize, formatNumber } = formatter
    const { to: targetFile, force = false, 'dry-run': dryRun = false } = parseOptions(args, OPTIONS)
    const targetConfig = await readTargetConfig(targetFile, config)
    // Root is given up only after the file of the target was read, because that file contains keys and may be
    // readable only by root.
    becomeOwnerOf((config.sharedServices ? targetConfig : config).dataDir)
    await using source = await openStoppedInstance(config, log).catch(refuseDatabaseInUse(config))
    if (!source)
      throw new UsageError(
        `In ${instanceLocation(config)} liegt kein Bestand.`,
        `There is no instance in ${instanceLocation(config)}.`,
      )
    try {
      const { files, bytes } = await totalFileAmount(source.database.read)
      const resumeId = source.id.slice(0, MARK_LENGTH)
      const target = await beginNewInstance(targetConfig, { log, resumeId }).catch(
        refuseDatabaseInUse(targetConfig),
      )
      try {
        await refuseUnfitTarget(target, targetConfig, { force, bytes })
        if (dryRun)
          return print(
            localize(
              `Zu kopieren: ${formatNumber(files)} Dateien (${formatter.formatSize(bytes)}) nach ${instanceLocation(targetConfig)}. Nichts wurde geändert.`,
              `To be copied: ${formatNumber(files)} files (${formatter.formatSize(bytes)}) to ${instanceLocation(targetConfig)}. Nothing was changed.`,
            ),
          )
        const progress = startProgress('Umzug', 'Move')
        const migrationReport = await copyInstance({ source, target, onProgress: progress.update }).finally(
          progress.end,
        )
        const previousLocation = await target.swap()
        print(reportText(migrationReport, { targetConfig, bytes, previousLocation, formatter }))
      } finally {
        await target.release()
      }
    } catch (error) {
      throw commandErrorOf(error)
    }
  },
}

async function readTargetConfig(file: string | undefined, { sharedServices }: Config): Promise<Config> {
  if (file === undefined)
    throw new UsageError(
      'Es fehlt --to <Datei>, mehr dazu sagt „fundus help migrate“.',
      '--to <file> is missing; “fundus help migrate” says more.',
    )
  const environmentText = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`Die Datei ${file} lässt sich nicht lesen.`, `The file ${file} cannot be read.`)
  })
  const targetConfig = readConfig(parseEnv(environmentText) as Record<string, string>)
  if ((targetConfig.sharedServices === null) === (sharedServices === null))
    throw new UsageError(
      `Quelle und Ziel haben dieselbe Betriebsart (${sharedServices ? 'PostgreSQL und Objektspeicher' : 'Ordner'}); dafür gibt es fundus backup und fundus restore.`,
      `Source and target have the same mode (${sharedServices ? 'PostgreSQL and object store' : 'folder'}); for that there are fundus backup and fundus restore.`,
    )
  return targetConfig
}

/** Returns a function that explains `DatabaseInUseError` to the operator and rethrows any other error. */
const refuseDatabaseInUse =
  (config: Config) =>
  (error: unknown): never => {
    if (!(error instanceof DatabaseInUseError)) throw error
    throw commandErrorOf(restoreRefusal.running(instanceLocation(config), error.holder))
  }

async function refuseUnfitTarget(
  target: InstanceReplacement,
  targetConfig: Config,
  { force, bytes }: { force: boolean; bytes: number },
): Promise<void> {
  if (!force && (await hasLiveData(target))) throw restoreRefusal.occupied(instanceLocation(targetConfig))
  const freeBytes = await target.freeBytes()
  if (freeBytes !== null && freeBytes < bytes)
    throw restoreTrouble.full(instanceLocation(targetConfig), bytes, freeBytes)
}

function reportText(
  {
    copied: copiedCount,
    alreadyCopied: alreadyCopiedCount,
    missing: missingPaths,
    altered: alteredPaths,
  }: MigrationReport,
  {
    targetConfig,
    bytes,
    previousLocation,
    formatter,
  }: { targetConfig: Config; bytes: number; previousLocation: string | null; formatter: Formatter },
): string {
  const { localize, formatNumber, listLines } = formatter
  const [countText, sizeText] = [formatNumber(copiedCount + alreadyCopiedCount), formatter.formatSize(bytes)]
  const namesOf = (names: string[]) => ({ count: names.length, names })
  return [
    localize(
      `Umgezogen nach ${instanceLocation(targetConfig)}: ${countText} Dateien, zusammen ${sizeText}, alle verglichen.`,
      `Moved to ${instanceLocation(targetConfig)}: ${countText} files, ${sizeText} altogether, all of them compared.`,
    ),
    ...(alreadyCopiedCount > 0
      ? [
          localize(
            `${formatNumber(alreadyCopiedCount)} davon hatte ein abgebrochener Lauf schon kopiert.`,
            `${formatNumber(alreadyCopiedCount)} of them had been copied by a run that broke off.`,
          ),
        ]
      : []),
    ...(previousLocation === null
      ? []
      : [
          localize(
            `Was vorher dort lag, ist in ${previousLocation}.`,
            `What was there before is in ${previousLocation}.`,
          ),
        ]),
    ...listLines(
      localize('Diese Dateien fehlten schon an der Quelle', 'These files were missing at the source already'),
      namesOf(missingPaths),
    ),
    ...listLines(
      localize(
        'Diese Dateien waren schon an der Quelle beschädigt',
        'These files were damaged at the source already',
      ),
      namesOf(alteredPaths),
    ),
    localize(
      'Die Quelle ist unverändert. Den Dienst jetzt mit der Umgebung des Ziels starten.',
      'The source is unchanged. Now start the service with the environment of the target.',
    ),
  ].join('\n')
}
