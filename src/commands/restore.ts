/** `fundus restore`: restores an instance from the archive of a backup. */
import { resolve } from 'node:path'
import { beginNewInstance } from '../adapters.ts'
import { formatBytes } from '../contract/bytes.ts'
import { BackupTrouble } from '../errors.ts'
import { checkArchive, type Restored, restoreArchive } from '../features/restore/restore.ts'
import { keepNewFilesPrivate } from '../storage/platform.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { parseWords } from './options.ts'
import { firstNames, shortTime } from './printing.ts'
import { createProgress } from './progress.ts'

export const command: Command = {
  help: `fundus restore <Archiv> [--into <Ordner>] [--force] [--nur-pruefen]

  Prüft das ganze Archiv und legt den Bestand dann in DATA_DIR an. Der Dienst darf dabei nicht laufen.
  Danach melden sich alle neu an; Vorschauen entstehen beim nächsten Start von selbst.

  --into <Ordner>     in diesen Ordner statt in DATA_DIR
  --force             auch wenn dort schon ein Bestand liegt; er wird nicht gelöscht, sondern in einen
                      Ordner vorher-<Zeit> daneben gelegt
  --nur-pruefen       nur prüfen, ob das Archiv unversehrt ist`,

  async run({ config, args, print, complain }) {
    const { positionals, values } = parseWords(
      args,
      { into: { type: 'string' }, force: { type: 'boolean' }, 'nur-pruefen': { type: 'boolean' } },
      1,
    )
    const [file] = positionals
    if (file === undefined)
      throw new UsageError('Es fehlt der Name des Archivs, mehr dazu sagt „fundus help restore“.')
    const onlyCheck = values['nur-pruefen'] ?? false
    keepNewFilesPrivate()
    const label = onlyCheck ? 'Prüfung' : 'Wiederherstellung'
    const progress = createProgress({ label, unit: 'bytes', write: complain })
    const dataDir = values.into === undefined ? config.dataDir : resolve(values.into)
    try {
      if (onlyCheck) {
        const { dateien, papierkorb, bytes, zeit } = await checkArchive(file, progress.at)
        progress.end()
        print(`Das Archiv ist unversehrt: ${contents(dateien, papierkorb, bytes)}, Stand ${shortTime(zeit)}.`)
        return
      }
      const parts = { begin: () => beginNewInstance({ ...config, dataDir }), onProgress: progress.at }
      const restored = await restoreArchive(parts, { file, place: dataDir, force: values.force ?? false })
      progress.end()
      printReport(restored, dataDir, print)
    } catch (error) {
      progress.end()
      throw error instanceof BackupTrouble ? new CommandFailure(error.sentence) : error
    }
  },
}

function printReport(
  { manifest, missing, altered, mended, before }: Restored,
  dataDir: string,
  print: (text: string) => void,
) {
  const { dateien, papierkorb, bytes, zeit } = manifest
  print(`Wiederhergestellt in ${dataDir}: ${contents(dateien, papierkorb, bytes)}, Stand ${shortTime(zeit)}.`)
  if (before) print(`Was vorher dort lag, ist in ${before} und kann gelöscht werden, wenn alles stimmt.`)
  list('Diese Dateien fehlten schon, als die Sicherung gemacht wurde:', missing, print)
  list('Diese Dateien waren schon beschädigt, als die Sicherung gemacht wurde:', altered, print)
  list(
    'Bei diesen Dateien stimmte der Eintrag in der Sicherung nicht; Typ und Größe folgen nun Namen und Inhalt:',
    mended,
    print,
  )
}

function list(heading: string, paths: string[], print: (text: string) => void): void {
  if (paths.length > 0) print([heading, ...firstNames({ count: paths.length, names: paths })].join('\n'))
}

const contents = (files: number, trash: number, bytes: number) =>
  `${files === 1 ? 'eine Datei' : `${files} Dateien`}, ${trash} im Papierkorb, zusammen ${formatBytes(bytes)}`
