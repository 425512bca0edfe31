/** Errors of backup runs. Reports contain their sentences and codes. */
import { formatBytes } from '../contract/values/bytes.ts'
import { backupErrors, shortNameList } from './backup-trouble.ts'
import { germanReason } from './system-error-reasons.ts'

type NameList = { count: number; names: readonly string[] }

const countText = (count: number, singular: string, plural: string) =>
  count === 1 ? singular : `${count} ${plural}`

/** The end of the sentence that refuses a backup target whose path only a Windows machine can have. */
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
