/** Errors of a restore. */
import { localTime } from '../base/local-time.ts'
import { formatBytes } from '../contract/values/bytes.ts'
import { backupErrors, CommandRefusal, englishBytes, shortNameList } from './backup-trouble.ts'
import { bilingualParts } from './failure.ts'
import { englishReason, germanReason, READ_ERROR_CLAUSES } from './system-error-reasons.ts'

export const restoreRefusal = backupErrors(
  null,
  {
    archiveAbsent: (file: string, error: unknown) =>
      bilingualParts(
        `Das Archiv ${file} lässt sich nicht öffnen: ${germanReason(error, READ_ERROR_CLAUSES)}.`,
        `The archive ${file} cannot be opened: ${englishReason(error)}.`,
        error,
      ),
    stockAbsent: (archive: string, folder: string) =>
      bilingualParts(
        `Neben dem Archiv ${archive} fehlt der Ordner „bestand“ mit dem Inhalt der Dateien; bitte das Archiv aus dem Ordner der Sicherung nehmen, ein heruntergeladenes Archiv, oder „bestand“ nach ${folder} kopieren.`,
        `The folder “bestand” with the contents of the files is missing beside the archive ${archive}; please use the archive in the folder of the backup, a downloaded archive, or copy “bestand” to ${folder}.`,
      ),
    stockUnreadable: (folder: string, error: unknown) =>
      bilingualParts(
        `Der Inhalt der Dateien in ${folder} ist für den Benutzer, dem DATA_DIR gehört, nicht lesbar; bitte als root Leserechte geben: chmod -R a+rX ${folder}`,
        `The contents of the files in ${folder} are not readable for the user who owns DATA_DIR; please grant the rights as root: chmod -R a+rX ${folder}`,
        error,
      ),
    noArchive: (folder: string) =>
      bilingualParts(
        `Im Ordner ${folder} liegt kein Archiv einer Sicherung.`,
        `The folder ${folder} contains no archive of a backup.`,
      ),
    occupied: (folder: string) =>
      bilingualParts(
        `In ${folder} liegt schon ein Bestand; mit --force wird er ersetzt und daneben aufgehoben.`,
        `There is an instance in ${folder} already; --force replaces it and keeps it beside the new one.`,
      ),
    running: (location: string, holder?: { host: string; startedAt: number }) =>
      holder
        ? bilingualParts(
            `Auf ${location} arbeitet gerade ein Dienst oder ein anderer Befehl, auf dem Rechner ${holder.host} seit ${localTime(holder.startedAt)}; bitte zuerst beenden. Nach einem Absturz gilt er noch eine Minute lang.`,
            `A service or another command is using ${location}, on the machine ${holder.host} since ${localTime(holder.startedAt)}; please stop it first. After a crash it counts for another minute.`,
          )
        : bilingualParts(
            `Auf ${location} arbeitet gerade ein Dienst oder ein anderer Befehl; bitte zuerst beenden.`,
            `A service or another command is using ${location}; please stop it first.`,
          ),
    onlyList: () =>
      bilingualParts(
        'Das Archiv enthält nur die Liste der Dateien (--list-only); ihr Inhalt liegt im Objektspeicher, und nur dort lässt es sich wiederherstellen.',
        'The archive contains only the list of the files (--list-only); their content is in the object store, and it can be restored only there.',
      ),
  },
  CommandRefusal,
)

export const restoreTrouble = backupErrors(null, {
  objectsMissing: (location: string, paths: readonly string[]) =>
    bilingualParts(
      `In ${location} fehlt der Inhalt ${paths.length === 1 ? 'einer Datei' : `von ${paths.length} Dateien`} (${shortNameList(paths)}). Nichts wurde geändert; bitte die Objekte aus der Kopie des Speichers zurückholen, oder mit --skip-missing ohne sie fertigstellen.`,
      `${location} lacks the content of ${paths.length === 1 ? 'one file' : `${paths.length} files`} (${shortNameList(paths)}). Nothing was changed; please bring the objects back from the copy of the store, or finish without them with --skip-missing.`,
    ),
  full: (folder: string, neededBytes: number, freeBytes: number) =>
    bilingualParts(
      `Für die Wiederherstellung reicht der Platz nicht: Sie braucht ${formatBytes(neededBytes)}, in ${folder} sind ${formatBytes(freeBytes)} frei.`,
      `There is not enough space to restore: it needs ${englishBytes(neededBytes)}, and ${folder} has ${englishBytes(freeBytes)} free.`,
    ),
  unusable: (folder: string, error: unknown) =>
    bilingualParts(
      `In ${folder} lässt sich nichts wiederherstellen: ${germanReason(error)}.`,
      `Nothing can be restored in ${folder}: ${englishReason(error)}.`,
      error,
    ),
})
