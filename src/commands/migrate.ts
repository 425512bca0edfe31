/** `fundus migrate`: copies everything from a data folder to PostgreSQL and an object store, or back. */
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { beginNewInstance, placeOf } from '../adapters.ts'
import { type Config, readConfig } from '../config.ts'
import { formatBytes } from '../contract/bytes.ts'
import { DatabaseInUse, type NewInstance } from '../database/replacement.ts'
import { BackupTrouble, restoreTrouble } from '../errors.ts'
import { ownedAmount } from '../features/integrity/owners.ts'
import { fillFrom, type Migrated } from '../features/migrate/migrate.ts'
import { isOccupied } from '../features/restore/restore.ts'
import { openResting } from '../resting-instance.ts'
import { MARK_LENGTH } from '../storage/names.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { parseOptions } from './options.ts'
import { number, section } from './printing.ts'
import { createProgress } from './progress.ts'

const OPTIONS = {
  to: { type: 'string' },
  force: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

export const command: Command = {
  help: `fundus migrate --to <Datei> [--dry-run] [--force]

  Kopiert den ganzen Bestand in die andere Betriebsart: aus DATA_DIR nach PostgreSQL und Objektspeicher, oder zurück. Die
  Datei nennt das Ziel, mit einer Umgebungsvariablen je Zeile (DATA_DIR=…, DATABASE_URL=…, S3_ENDPOINT=… und so fort); nur
  was darin steht, gilt für das Ziel. An beiden Orten darf kein Dienst laufen. Zuerst werden die Dateien kopiert, dann die
  Einträge, dann wird alles zurückgelesen und verglichen; erst danach gilt der Bestand am Ziel. Die Quelle bleibt, wie sie
  ist. Ein abgebrochener Lauf geht beim nächsten Mal dort weiter, wo er war.

  Danach melden sich alle neu an; Vorschauen entstehen beim nächsten Start von selbst.

  --to <Datei>        die Umgebung des Ziels
  --dry-run           nur prüfen und zeigen, was zu tun wäre
  --force             auch wenn am Ziel schon ein Bestand liegt; er wird aufgehoben wie bei fundus restore`,

  async run({ config, log, args, print, complain }) {
    const { to, force = false, 'dry-run': dryRun = false } = parseOptions(args, OPTIONS)
    const goal = await targetOf(to, config)
    await using source = await openResting(config, log).catch(refuseInUse(config))
    if (!source) throw new UsageError(`In ${placeOf(config)} liegt kein Bestand.`)
    try {
      const { files, bytes } = await ownedAmount(source.database.read)
      const resume = source.id.slice(0, MARK_LENGTH)
      const target = await beginNewInstance(goal, { log, resume }).catch(refuseInUse(goal))
      try {
        await refuseUnfit(target, goal, { force, bytes })
        if (dryRun)
          return print(
            `Zu kopieren: ${number(files)} Dateien (${formatBytes(bytes)}) nach ${placeOf(goal)}. Nichts wurde geändert.`,
          )
        const progress = createProgress({ label: 'Umzug', unit: 'bytes', write: complain })
        const migrated = await fillFrom({ source, target, onProgress: progress.at }).finally(progress.end)
        const before = await target.swap()
        print(report(migrated, { goal, bytes, before }))
      } finally {
        await target.release()
      }
    } catch (error) {
      throw error instanceof BackupTrouble ? new CommandFailure(error.sentence) : error
    }
  },
}

async function targetOf(file: string | undefined, { shared }: Config): Promise<Config> {
  if (file === undefined) throw new UsageError('Es fehlt --to <Datei>, mehr dazu sagt „fundus help migrate“.')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`Die Datei ${file} lässt sich nicht lesen.`)
  })
  const goal = readConfig(parseEnv(text) as Record<string, string>)
  if ((goal.shared === null) === (shared === null))
    throw new UsageError(
      `Quelle und Ziel haben dieselbe Betriebsart (${shared ? 'PostgreSQL und Objektspeicher' : 'Ordner'}); dafür gibt es fundus backup und fundus restore.`,
    )
  return goal
}

const refuseInUse =
  (config: Config) =>
  (error: unknown): never => {
    if (!(error instanceof DatabaseInUse)) throw error
    throw new CommandFailure(restoreTrouble.running(placeOf(config), error.by).sentence)
  }

async function refuseUnfit(
  target: NewInstance,
  goal: Config,
  { force, bytes }: { force: boolean; bytes: number },
): Promise<void> {
  if (!force && (await isOccupied(target))) throw restoreTrouble.occupied(placeOf(goal))
  const free = await target.freeBytes()
  if (free !== null && free < bytes) throw restoreTrouble.full(placeOf(goal), bytes, free)
}

function report(
  { copied, there, missing, altered }: Migrated,
  { goal, bytes, before }: { goal: Config; bytes: number; before: string | null },
): string {
  const listed = (names: string[]) => ({ count: names.length, names })
  return [
    `Umgezogen nach ${placeOf(goal)}: ${number(copied + there)} Dateien, zusammen ${formatBytes(bytes)}, alle verglichen.`,
    ...(there > 0 ? [`${number(there)} davon hatte ein abgebrochener Lauf schon kopiert.`] : []),
    ...(before === null ? [] : [`Was vorher dort lag, ist in ${before}.`]),
    ...section('Diese Dateien fehlten schon an der Quelle', listed(missing)),
    ...section('Diese Dateien waren schon an der Quelle beschädigt', listed(altered)),
    'Die Quelle ist unverändert. Den Dienst jetzt mit der Umgebung des Ziels starten.',
  ].join('\n')
}
