/** `fundus restore`: restores an instance from the archive of a backup. */
import { resolve } from 'node:path'
import { beginNewInstance, openAdapters, placeOf } from '../adapters.ts'
import type { Config } from '../config.ts'
import { formatBytes } from '../contract/bytes.ts'
import { dropKept } from '../database/postgres-kept.ts'
import { BackupTrouble } from '../errors.ts'
import { letGoOf } from '../features/restore/kept.ts'
import { checkArchive, type Restored, restoreArchive } from '../features/restore/restore.ts'
import { keepNewFilesPrivate } from '../storage/platform.ts'
import { type Command, type CommandContext, CommandFailure, UsageError } from './command.ts'
import { parseWords } from './options.ts'
import { firstNames, shortTime } from './printing.ts'
import { createProgress } from './progress.ts'

const OPTIONS = {
  into: { type: 'string' },
  force: { type: 'boolean' },
  auslassen: { type: 'boolean' },
  'nur-pruefen': { type: 'boolean' },
  'vorher-entfernen': { type: 'boolean' },
} as const

export const command: Command = {
  help: `fundus restore <Archiv> [--into <Ordner>] [--force] [--auslassen] [--nur-pruefen]
fundus restore --vorher-entfernen

  Prüft das ganze Archiv und legt den Bestand dann in DATA_DIR an, oder in PostgreSQL und Objektspeicher, wenn sie
  eingestellt sind. Der Dienst darf dabei nirgends laufen. Danach melden sich alle neu an; Vorschauen entstehen beim
  nächsten Start von selbst.

  --into <Ordner>     in diesen Ordner statt dorthin, wo der Dienst eingestellt ist
  --force             auch wenn dort schon ein Bestand liegt; er wird nicht gelöscht, sondern aufgehoben: in einem
                      Ordner vorher-<Zeit> daneben, in PostgreSQL in einem Schema fundus_vorher-<Zeit>
  --auslassen         auch wenn im Objektspeicher Dateien fehlen, die ein Archiv nennt, das nur die Liste enthält
  --nur-pruefen       nur prüfen, ob das Archiv unversehrt ist
  --vorher-entfernen  entfernt, was Wiederherstellungen in PostgreSQL und Objektspeicher aufgehoben haben`,

  async run({ config: configured, log, args, print, complain }) {
    const { positionals, values } = parseWords(args, OPTIONS, 1)
    if (values['vorher-entfernen']) return removeKept({ config: configured, log, print })
    const [file] = positionals
    if (file === undefined)
      throw new UsageError('Es fehlt der Name des Archivs, mehr dazu sagt „fundus help restore“.')
    const onlyCheck = values['nur-pruefen'] ?? false
    keepNewFilesPrivate()
    const label = onlyCheck ? 'Prüfung' : 'Wiederherstellung'
    const progress = createProgress({ label, unit: 'bytes', write: complain })
    const config =
      values.into === undefined ? configured : { ...configured, shared: null, dataDir: resolve(values.into) }
    const place = placeOf(config)
    try {
      if (onlyCheck) {
        const { dateien, papierkorb, bytes, zeit } = await checkArchive(file, progress.at).finally(
          progress.end,
        )
        print(`Das Archiv ist unversehrt: ${contents(dateien, papierkorb, bytes)}, Stand ${shortTime(zeit)}.`)
        return
      }
      const { force = false, auslassen: incomplete = false } = values
      const parts = { begin: () => beginNewInstance(config, { log }), onProgress: progress.at }
      const choice = { file, place, force, incomplete }
      const restored = await restoreArchive(parts, choice).finally(progress.end)
      printReport(restored, config, print)
    } catch (error) {
      throw error instanceof BackupTrouble ? new CommandFailure(error.sentence) : error
    }
  },
}

function printReport(
  { manifest, missing, altered, mended, before }: Restored,
  config: Config,
  print: (text: string) => void,
) {
  const { dateien, papierkorb, bytes, zeit, nur_liste } = manifest
  print(
    `Wiederhergestellt in ${placeOf(config)}: ${contents(dateien, papierkorb, bytes)}, Stand ${shortTime(zeit)}.`,
  )
  if (before && config.shared)
    print(`Was vorher dort lag, ist im Schema ${before}. Stimmt alles: fundus restore --vorher-entfernen`)
  else if (before) print(`Was vorher dort lag, ist in ${before} und kann gelöscht werden, wenn alles stimmt.`)
  const when = nur_liste ? 'fehlen im Objektspeicher' : 'fehlten schon, als die Sicherung gemacht wurde'
  list(`Diese Dateien ${when}:`, missing, print)
  list('Diese Dateien waren schon beschädigt, als die Sicherung gemacht wurde:', altered, print)
  list(
    'Bei diesen Dateien stimmte der Eintrag in der Sicherung nicht; Typ und Größe folgen nun Namen und Inhalt:',
    mended,
    print,
  )
}

/** Instances may run: what nobody owns any more is put on the list from which they remove objects. */
async function removeKept({ config, log, print }: Pick<CommandContext, 'config' | 'log' | 'print'>) {
  const { shared } = config
  if (!shared)
    throw new UsageError(
      `Was eine Wiederherstellung in ${config.dataDir} aufgehoben hat, sind Ordner vorher-<Zeit>: sie lassen sich löschen.`,
    )
  await using adapters = await openAdapters(config, { log })
  const { database, now } = adapters
  const place = { url: shared.databaseUrl, log }
  const dropped = await dropKept(place, database, kept => letGoOf(kept, database, now()))
  print(dropped.length === 0 ? 'Es ist nichts aufgehoben.' : `Entfernt: ${dropped.join(', ')}.`)
}

function list(heading: string, paths: string[], print: (text: string) => void): void {
  if (paths.length > 0) print([heading, ...firstNames({ count: paths.length, names: paths })].join('\n'))
}

const contents = (files: number, trash: number, bytes: number) =>
  `${files === 1 ? 'eine Datei' : `${files} Dateien`}, ${trash} im Papierkorb, zusammen ${formatBytes(bytes)}`
