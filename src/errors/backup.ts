/**
 * Errors of backup, restore, the rehearsal of a restore, and `migrate`, for reports, the chat webhook and the
 * terminal. API clients get them only as part of a report.
 */

import { errorCode } from '../base/error-code.ts'
import { localTime } from '../base/local-time.ts'
import { formatBytes } from '../contract/values/bytes.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { ENGLISH } from '../contract/words/english.ts'
import { createErrors, type ErrorEntries } from './failure.ts'

export class BackupTrouble extends Error {
  constructor(
    readonly sentence: string,
    options?: ErrorOptions,
    /**
     * The code, for programs and for the dashboard, which has its own translations. Empty for errors that
     * only a command reports.
     */
    readonly code = '',
    /**
     * The English sentence, for the terminal. Default: the one of the code in `ENGLISH`, or else the German
     * one.
     */
    readonly english = ownValue(ENGLISH, code) ?? sentence,
  ) {
    super(sentence, options)
    this.name = 'BackupTrouble'
  }
}

/** Thrown if a command cannot run with these arguments or at this time. Nothing was changed. */
export class CommandRefusal extends BackupTrouble {}

/** German clauses for errors of writing to a folder, by the system's error code. */
const WRITE_ERROR_CLAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'dort ist kein Platz mehr',
  EDQUOT: 'dort ist kein Platz mehr',
  EFBIG: 'so große Dateien sind dort nicht möglich',
  EROFS: 'dort darf nichts geschrieben werden',
  EACCES: 'dort darf der Dienst nicht schreiben',
  EPERM: 'dort darf der Dienst nicht schreiben',
  ENOTDIR: 'dort liegt eine Datei statt eines Ordners',
  EEXIST: 'dort liegt eine Datei statt eines Ordners',
  ENOENT: 'den Ort gibt es nicht',
  EIO: 'das Laufwerk meldet einen Fehler',
}

/** German clauses for errors of reading a file: for some codes they differ from those for writing. */
const READ_ERROR_CLAUSES: Readonly<Record<string, string>> = {
  ...WRITE_ERROR_CLAUSES,
  ENOENT: 'es gibt es nicht',
  EACCES: 'es darf nicht gelesen werden',
  EPERM: 'es darf nicht gelesen werden',
  EISDIR: 'es ist ein Ordner',
}

/**
 * Why a system call failed, as a German clause. If `clauses` lacks the code of the error, the clause names
 * the code.
 */
function germanReason(error: unknown, clauses = WRITE_ERROR_CLAUSES): string {
  const code = errorCode(error)
  return ownValue(clauses, code) ?? `das System meldet ${code === '' ? 'einen unbekannten Fehler' : code}`
}

/** English clauses for errors of restoring, by the system's error code. */
const ENGLISH_ERROR_CLAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left',
  EFBIG: 'files of this size are not possible there',
  EROFS: 'nothing may be written there',
  EACCES: 'this user lacks the necessary rights',
  EPERM: 'this user lacks the necessary rights',
  ENOTDIR: 'there is a file instead of a folder',
  EEXIST: 'there is a file instead of a folder',
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EIO: 'the disk reports an error',
}

function englishReason(error: unknown): string {
  const code = errorCode(error)
  return (
    ownValue(ENGLISH_ERROR_CLAUSES, code) ?? `the system reports ${code === '' ? 'an unknown error' : code}`
  )
}

/**
 * Turns each entry into a function that creates an error. `prefix`: the beginning of the errors' codes; null:
 * the errors have no codes.
 */
const backupErrors = <E extends ErrorEntries>(
  prefix: string | null,
  entries: E,
  ErrorClass = BackupTrouble,
) =>
  createErrors(
    entries,
    (code, { sentence, english, cause }) =>
      new ErrorClass(sentence, { cause }, prefix === null ? '' : prefix + code, english),
  )

type NameList = { count: number; names: readonly string[] }

const countText = (count: number, singular: string, plural: string) =>
  count === 1 ? singular : `${count} ${plural}`
const shortNameList = (names: readonly string[]) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}`

/** The end of a sentence that refuses a backup target, because only a Windows machine can have its path. */
const WINDOWS_PATH_CLAUSE =
  'ist ein Windows-Pfad, den dieser Rechner nicht hat; nichts wurde geschrieben, bitte einen Pfad dieses Rechners einstellen.'

/**
 * Why a bucket cannot be used, as a German clause. An error without an HTTP status means that the store does
 * not answer.
 */
function bucketReason(error: Error): string {
  const { status, code } = error as Error & { status?: number; code?: string }
  if (code === 'NoSuchBucket' || status === 404) return 'es gibt ihn nicht'
  if (status === undefined) return 'er antwortet nicht'
  return status < 500
    ? `er weist den Schlüssel oder die Anfrage ab (${code || status})`
    : `er antwortet mit ${status}`
}

/** The codes of these errors begin with `backup`: `targetFull` → `backup-target-full`. */
export const backupTrouble = backupErrors('backup-', {
  targetForeign: (folder: string) => `Das Ziel der Sicherung ${folder} ${WINDOWS_PATH_CLAUSE}`,
  secondForeign: (folder: string) => `Das Zweitziel ${folder} ${WINDOWS_PATH_CLAUSE}`,
  targetUnset: () =>
    'SICHERUNG_ZIEL ist nicht gesetzt: Auf diesem Rechner bleibt nichts, was verloren gehen darf, also braucht die Sicherung einen Ordner an einem anderen Ort.',
  listWithoutStore: () =>
    'Eine Sicherung nur mit der Liste gibt es nur mit einem Objektspeicher; hier liegt der Inhalt der Dateien nirgends sonst.',
  targetUnusable: (folder: string, error: unknown) => ({
    sentence: `Das Ziel der Sicherung ${folder} ist nicht benutzbar: ${germanReason(error)}.`,
    cause: error,
  }),
  secondUnusable: (folder: string, error: unknown) => ({
    sentence: `Das Zweitziel ${folder} ist nicht benutzbar, das Archiv liegt nur am ersten Ort: ${germanReason(error)}.`,
    cause: error,
  }),
  targetFull: (folder: string, neededBytes: number, freeBytes: number) =>
    `Für die Sicherung reicht der Platz nicht: Sie braucht etwa ${formatBytes(neededBytes)}, in ${folder} sind ${formatBytes(freeBytes)} frei.`,
  secondFull: (folder: string, neededBytes: number, freeBytes: number) =>
    `Am Zweitziel ${folder} reicht der Platz nicht, das Archiv liegt nur am ersten Ort: Es braucht etwa ${formatBytes(neededBytes)}, frei sind ${formatBytes(freeBytes)}.`,
  sameFolder: (folder: string) =>
    `Ziel und Zweitziel sind derselbe Ordner (${folder}), das Archiv liegt also nur an einem Ort.`,
  copyDiffers: (folder: string) =>
    `Die Kopie am Zweitziel ${folder} hat eine andere Prüfsumme als das Archiv und wurde verworfen.`,
  targetSilent: (folder: string) => `Das Ziel der Sicherung ${folder} antwortet nicht.`,
  secondSilent: (folder: string) =>
    `Das Zweitziel ${folder} antwortet nicht, das Archiv liegt nur am ersten Ort.`,
  secondUnmounted: (folder: string) =>
    `Das Zweitziel ${folder} lag bisher auf einer eigenen Platte, die nicht mehr eingehängt ist; das Archiv liegt nur am ersten Ort.`,
  incomplete: (missingFiles: NameList, alteredFiles: NameList, unusableEntries: NameList) =>
    `Das Archiv ist unvollständig: ${[
      missingFiles.count > 0 &&
        `${countText(missingFiles.count, 'eine Datei fehlt', 'Dateien fehlen')} in der Ablage (${shortNameList(missingFiles.names)})`,
      alteredFiles.count > 0 &&
        `${countText(alteredFiles.count, 'eine Datei hat', 'Dateien haben')} einen anderen Inhalt als gespeichert (${shortNameList(alteredFiles.names)})`,
      unusableEntries.count > 0 &&
        `${countText(unusableEntries.count, 'ein Eintrag ist', 'Einträge sind')} so beschädigt, dass es sich nicht wiederherstellen ließe (${shortNameList(unusableEntries.names)})`,
    ]
      .filter(Boolean)
      .join(', ')}.`,
  unreadable: (cause: unknown) => ({
    sentence: 'Das geschriebene Archiv ließ sich nicht fehlerfrei zurücklesen und wurde verworfen.',
    cause,
  }),
  contentsVanished: (folder: string) =>
    `Während der Sicherung sind Inhalte aus ${folder} verschwunden; das Archiv wurde verworfen.`,
  contentsDamaged: (folder: string, names: readonly string[]) =>
    `In der Sicherung in ${folder} ${countText(names.length, 'ist eine Datei', 'Dateien sind')} beschädigt, und eine unversehrte Kopie gibt es nicht mehr (${shortNameList(names)}). Archive, die sie nennen, lassen sich nicht wiederherstellen.`,
  archivesDamaged: (folder: string, names: readonly string[]) =>
    `In ${folder} ${countText(names.length, 'ist ein Archiv', 'Archive sind')} beschädigt (${shortNameList(names)}).`,
  bucketUnusable: (bucketName: string, cause: unknown) => ({
    sentence: `Der Bucket ${bucketName} ist nicht benutzbar, dort liegt das Archiv also nicht: ${cause instanceof Error ? bucketReason(cause) : 'unbekannter Fehler'}.`,
    cause,
  }),
  bucketIncomplete: (bucketName: string) =>
    `Für den Bucket der Sicherung (${bucketName}) fehlt die Adresse, der Name oder der Schlüssel; dort wurde nichts gesichert.`,
  bucketDiffers: (bucketName: string) =>
    `Der Bucket ${bucketName} gibt andere Bytes zurück, als er bekommen hat; dort liegt das Archiv also nicht.`,
  bucketPassword: (bucketName: string) =>
    `SICHERUNG_PASSWORT öffnet den Schlüssel im Bucket ${bucketName} nicht; dort wurde nichts gesichert.`,
  bucketEncrypted: (bucketName: string) =>
    `Die Sicherungen im Bucket ${bucketName} sind verschlüsselt, aber SICHERUNG_PASSWORT ist nicht gesetzt; dort wurde nichts gesichert.`,
  bucketPlain: (bucketName: string) =>
    `Im Bucket ${bucketName} liegen unverschlüsselte Sicherungen; mit SICHERUNG_PASSWORT bitte einen anderen SICHERUNG_S3_PRAEFIX wählen.`,
  stopped: () => 'Die Sicherung wurde abgebrochen, weil der Dienst beendet wurde.',
  lost: () => 'Die Sicherung wurde abgebrochen, weil ein anderer Prozess sie inzwischen übernommen hat.',
  died: () => 'Die letzte Sicherung endete mittendrin, weil ihr Prozess abgestürzt oder beendet worden ist.',
  unexpected: (cause: unknown) => ({
    sentence:
      'Die Sicherung ist an einem unerwarteten Fehler gescheitert, der im Protokoll des Prozesses steht, der sie machte.',
    cause,
  }),
})

const englishBytes = (bytes: number) => formatBytes(bytes, 'en')
const inBothLanguages = (sentence: string, english: string, cause?: unknown) => ({ sentence, english, cause })

export const archiveTrouble = backupErrors(null, {
  foreign: () =>
    inBothLanguages(
      'Das ist kein Archiv von Fundus, oder schon sein Anfang (manifest.json) ist beschädigt.',
      'This is not an archive of Fundus, or its very beginning (manifest.json) is damaged.',
    ),
  formatUnknown: (format: unknown) =>
    inBothLanguages(
      `Laut manifest.json hat das Archiv das Format ${JSON.stringify(format)}, das diese Version nicht kennt; vielleicht kommt es von einer neueren.`,
      `According to manifest.json the archive has the format ${JSON.stringify(format)}, which this version does not know; it may come from a newer one.`,
    ),
  schemaNewer: (names: readonly string[]) =>
    inBothLanguages(
      `Das Archiv kommt von einer neueren Version des Dienstes (${names.join(', ')}); bitte zuerst aktualisieren.`,
      `The archive comes from a newer version of the service (${names.join(', ')}); please update first.`,
    ),
  cut: (size: number) =>
    inBothLanguages(
      `Das Archiv ist abgeschnitten: Es endet nach ${formatBytes(size)}, bevor alles da ist.`,
      `The archive is cut off: it ends after ${englishBytes(size)}, before everything is there.`,
    ),
  tooLong: (bytes: number) =>
    inBothLanguages(
      `Hinter dem Ende des Archivs stehen noch ${formatBytes(bytes)}, die nicht dazugehören.`,
      `Behind the end of the archive there are ${englishBytes(bytes)} that do not belong to it.`,
    ),
  broken: (name: string) =>
    inBothLanguages(
      `Das Archiv ist beschädigt: „${name}“ stimmt nicht mit seiner Prüfsumme überein.`,
      `The archive is damaged: “${name}” does not match its checksum.`,
    ),
  contentBroken: (name: string, sha256: string) =>
    inBothLanguages(
      `Die Sicherung ist beschädigt: Der Inhalt von „${name}“ (bestand/${sha256.slice(0, 2)}/${sha256}) stimmt nicht mit seiner Prüfsumme überein.`,
      `The backup is damaged: the content of “${name}” (bestand/${sha256.slice(0, 2)}/${sha256}) does not match its checksum.`,
    ),
  contentMissing: (name: string, sha256: string) =>
    inBothLanguages(
      `Die Sicherung ist unvollständig: Der Inhalt von „${name}“ (bestand/${sha256.slice(0, 2)}/${sha256}) fehlt.`,
      `The backup is incomplete: the content of “${name}” (bestand/${sha256.slice(0, 2)}/${sha256}) is missing.`,
    ),
  headerBroken: (previousEntry: string) =>
    inBothLanguages(
      `Das Archiv ist beschädigt: Der Eintrag hinter „${previousEntry}“ hat einen falschen Kopf.`,
      `The archive is damaged: the entry behind “${previousEntry}” has a wrong header.`,
    ),
  listLost: () =>
    inBothLanguages(
      'Das Archiv ist beschädigt: „pruefsummen.sha256“ liegt nicht dort, wo „manifest.json“ es nennt.',
      'The archive is damaged: “pruefsummen.sha256” is not where “manifest.json” says.',
    ),
  paddingBroken: (name: string) =>
    inBothLanguages(
      `Das Archiv ist beschädigt: Hinter „${name}“ stehen Bytes, die dort nicht hingehören.`,
      `The archive is damaged: behind “${name}” there are bytes that do not belong there.`,
    ),
  endBroken: () =>
    inBothLanguages(
      'Das Archiv ist beschädigt: Sein Ende ist nicht so, wie es geschrieben wurde.',
      'The archive is damaged: its end is not as it was written.',
    ),
  nameForeign: (name: string) =>
    inBothLanguages(
      `Das Archiv enthält den Namen ${JSON.stringify(name)}, den keine Sicherung hat.`,
      `The archive contains the name ${JSON.stringify(name)}, which no backup has.`,
    ),
  rowInvalid: (table: string, line: number, column?: string) => {
    const columnText = column === undefined ? '' : ` (${column})`
    return inBothLanguages(
      `Zeile ${line} von „datenbank/${table}.jsonl“ ist keine, die eine Sicherung schreibt${columnText}.`,
      `Line ${line} of “datenbank/${table}.jsonl” is not one that a backup writes${columnText}.`,
    )
  },
})

export const restoreRefusal = backupErrors(
  null,
  {
    archiveAbsent: (file: string, error: unknown) =>
      inBothLanguages(
        `Das Archiv ${file} lässt sich nicht öffnen: ${germanReason(error, READ_ERROR_CLAUSES)}.`,
        `The archive ${file} cannot be opened: ${englishReason(error)}.`,
        error,
      ),
    stockAbsent: (archive: string, folder: string) =>
      inBothLanguages(
        `Neben dem Archiv ${archive} fehlt der Ordner „bestand“ mit dem Inhalt der Dateien; bitte das Archiv aus dem Ordner der Sicherung nehmen, ein heruntergeladenes Archiv, oder „bestand“ nach ${folder} kopieren.`,
        `The folder “bestand” with the contents of the files is missing beside the archive ${archive}; please use the archive in the folder of the backup, a downloaded archive, or copy “bestand” to ${folder}.`,
      ),
    stockUnreadable: (folder: string, error: unknown) =>
      inBothLanguages(
        `Der Inhalt der Dateien in ${folder} ist für den Benutzer, dem DATA_DIR gehört, nicht lesbar; bitte als root Leserechte geben: chmod -R a+rX ${folder}`,
        `The contents of the files in ${folder} are not readable for the user who owns DATA_DIR; please grant the rights as root: chmod -R a+rX ${folder}`,
        error,
      ),
    noArchive: (folder: string) =>
      inBothLanguages(
        `Im Ordner ${folder} liegt kein Archiv einer Sicherung.`,
        `The folder ${folder} contains no archive of a backup.`,
      ),
    occupied: (folder: string) =>
      inBothLanguages(
        `In ${folder} liegt schon ein Bestand; mit --force wird er ersetzt und daneben aufgehoben.`,
        `There is an instance in ${folder} already; --force replaces it and keeps it beside the new one.`,
      ),
    running: (location: string, holder?: { host: string; startedAt: number }) =>
      holder
        ? inBothLanguages(
            `Auf ${location} arbeitet gerade ein Dienst oder ein anderer Befehl, auf dem Rechner ${holder.host} seit ${localTime(holder.startedAt)}; bitte zuerst beenden. Nach einem Absturz gilt er noch eine Minute lang.`,
            `A service or another command is using ${location}, on the machine ${holder.host} since ${localTime(holder.startedAt)}; please stop it first. After a crash it counts for another minute.`,
          )
        : inBothLanguages(
            `Auf ${location} arbeitet gerade ein Dienst oder ein anderer Befehl; bitte zuerst beenden.`,
            `A service or another command is using ${location}; please stop it first.`,
          ),
    onlyList: () =>
      inBothLanguages(
        'Das Archiv enthält nur die Liste der Dateien (--list-only); ihr Inhalt liegt im Objektspeicher, und nur dort lässt es sich wiederherstellen.',
        'The archive contains only the list of the files (--list-only); their content is in the object store, and it can be restored only there.',
      ),
  },
  CommandRefusal,
)

export const restoreTrouble = backupErrors(null, {
  objectsMissing: (location: string, paths: readonly string[]) =>
    inBothLanguages(
      `In ${location} fehlt der Inhalt ${paths.length === 1 ? 'einer Datei' : `von ${paths.length} Dateien`} (${shortNameList(paths)}). Nichts wurde geändert; bitte die Objekte aus der Kopie des Speichers zurückholen, oder mit --skip-missing ohne sie fertigstellen.`,
      `${location} lacks the content of ${paths.length === 1 ? 'one file' : `${paths.length} files`} (${shortNameList(paths)}). Nothing was changed; please bring the objects back from the copy of the store, or finish without them with --skip-missing.`,
    ),
  full: (folder: string, neededBytes: number, freeBytes: number) =>
    inBothLanguages(
      `Für die Wiederherstellung reicht der Platz nicht: Sie braucht ${formatBytes(neededBytes)}, in ${folder} sind ${formatBytes(freeBytes)} frei.`,
      `There is not enough space to restore: it needs ${englishBytes(neededBytes)}, and ${folder} has ${englishBytes(freeBytes)} free.`,
    ),
  unusable: (folder: string, error: unknown) =>
    inBothLanguages(
      `In ${folder} lässt sich nichts wiederherstellen: ${germanReason(error)}.`,
      `Nothing can be restored in ${folder}: ${englishReason(error)}.`,
      error,
    ),
})

/** The codes of these errors begin with `rehearsal`. */
export const rehearsalTrouble = backupErrors('rehearsal-', {
  noArchive: () => 'Es gibt noch kein Archiv, dessen Wiederherstellung sich proben ließe.',
  full: (neededBytes: number, freeBytes: number) => ({
    sentence: `Für die Probe der Wiederherstellung reicht der Platz nicht: Sie braucht etwa ${formatBytes(neededBytes)}, frei sind ${formatBytes(freeBytes)}.`,
    english: `There is not enough space to rehearse the restore: it needs about ${englishBytes(neededBytes)}, and ${englishBytes(freeBytes)} are free.`,
  }),
  refused: (cause: BackupTrouble) => ({
    sentence: `Das Archiv ließe sich nicht wiederherstellen. ${cause.sentence}`,
    english: `The archive could not be restored. ${cause.english}`,
    cause,
  }),
  rowDiffers: (table: string, line: number) => ({
    sentence: `Nach der Probe der Wiederherstellung stimmte eine Zeile nicht mit dem Archiv überein (datenbank/${table}.jsonl, Zeile ${line}).`,
    english: `After the rehearsed restore a row differed from the archive (datenbank/${table}.jsonl, line ${line}).`,
  }),
  contentDiffers: (name: string) => ({
    sentence: `Nach der Probe der Wiederherstellung hatte „${name}“ nicht den Inhalt, den das Archiv nennt.`,
    english: `After the rehearsed restore “${name}” did not have the content that the archive names.`,
  }),
  running: () => 'Ein anderer Prozess probt gerade die Wiederherstellung.',
  stopped: () => 'Die Probe der Wiederherstellung wurde abgebrochen.',
  unexpected: (cause: unknown) => ({
    sentence:
      'Die Probe der Wiederherstellung ist an einem unerwarteten Fehler gescheitert, der im Protokoll des Prozesses steht, der sie machte.',
    cause,
  }),
})

export const migrateTrouble = backupErrors(null, {
  differs: (difference: string) =>
    inBothLanguages(
      `Die Kopie stimmt nicht mit der Quelle überein (${difference}); am Ziel gilt noch, was vorher dort war. Bitte noch einmal versuchen.`,
      `The copy differs from the source (${difference}); the target still has its earlier state. Please try again.`,
    ),
})
