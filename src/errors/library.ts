/** Errors of the library, the trash, share links, picture sizes, undoing actions, and downloading backups. */
import type { ReplaceConflict } from '../contract/files/library.ts'
import { formatBytes } from '../contract/values/bytes.ts'
import { createFailures } from './failure.ts'

export const libraryFailures = {
  ...createFailures(413, {
    downloadTooLarge: (limit: number) =>
      `Ein Archiv fasst höchstens ${limit} Dateien, und hier liegen mehr; bitte einen Unterordner wählen.`,
    shareTooLarge: (files: number, bytes: number) =>
      `Zu viel für ein ZIP, das höchstens ${files} Dateien und ${formatBytes(bytes)} fasst; Unterordner lassen sich einzeln laden.`,
    resultTooLarge: (limit: number) =>
      `Das sind mehr als ${limit} Dateien auf einmal; bitte die Auswahl auf einen Ordner eingrenzen.`,
  }),
  ...createFailures(400, {
    folderIntoItself: () => 'Ein Ordner lässt sich nicht in sich selbst verschieben.',
    folderUnfit: (path: string, reason: string) =>
      `Der Ordner bleibt, wo er ist, denn der neue Pfad „${path}“ wäre ungültig: ${reason}.`,
    expressionInvalid: () => 'Das Feld „suche“ ist kein gültiger regulärer Ausdruck (RE2).',
    expressionTooSlow: () =>
      'Dieser reguläre Ausdruck ist für so viele Dateien zu aufwendig; bitte auf einen Ordner eingrenzen.',
    tooManyHits: (limit: number) =>
      `Das träfe mehr als ${limit} Dateien; bitte die Suche auf einen Ordner eingrenzen.`,
  }),
  ...createFailures(404, {
    fileAbsent: () => 'Unter dieser Adresse liegt keine Datei.',
    folderAbsent: () => 'Diesen Ordner gibt es nicht.',
    previewAbsent: () => 'Zu dieser Datei gibt es keine Vorschau.',
    sizeUnknown: () => 'Diese Bildgröße ist nicht eingerichtet.',
    sizeAbsent: () =>
      'Diese Datei gibt es in keiner Bildgröße: Sie ist weder ein Bild noch ein Film mit Vorschau.',
    pictureDamaged: () => 'Dieses Bild lässt sich nicht lesen; vermutlich ist es beschädigt.',
    pictureUndecodable: () =>
      'Dieses Bild gibt es in keiner Bildgröße: Es ist zu groß, oder sein Format lässt sich nicht lesen.',
    pictureCostly: () =>
      'Dieses Bild gibt es nicht in dieser Größe: Sie zu machen dauert zu lange oder braucht zu viel Speicher.',
    trashEntryAbsent: (nr: number) => `Im Papierkorb gibt es keinen Eintrag mit der Nummer ${nr}.`,
    archiveAbsent: () => 'Dieses Archiv gibt es an keinem Ort der Sicherung mehr.',
    actionAbsent: () => 'Diese Aktion gibt es nicht, oder es gibt an ihr nichts zurückzunehmen.',
    shareAbsent: () => 'Diese Freigabe gibt es nicht oder nicht mehr.',
  }),
  ...createFailures(429, {
    shareZipsCrowded: (seconds: number) => ({
      sentence: 'Gerade werden zu viele Archive auf einmal geladen; bitte das nächste später laden.',
      headers: { 'Retry-After': String(seconds) },
    }),
  }),
  ...createFailures(409, {
    archiveDamaged: (cause: unknown) => ({
      sentence: 'Zu diesem Archiv fehlt der Inhalt von Dateien, oder es ist beschädigt.',
      cause,
    }),
    pathRepeated: (path: string) =>
      `„${path}“ kommt in dieser Sendung mehrmals vor; gespeichert wird nur die erste Datei.`,
    pathShared: (path: string) => `Mehrere Dateien bekämen den gleichen Pfad „${path}“.`,
    changedSince: () => 'Die Datei wurde seither verändert oder liegt nicht mehr dort.',
    alreadyThere: () => 'Die Datei liegt schon in diesem Ordner.',
    resultChanged: (foundCount: number, seenCount: number) =>
      `Nichts wurde geändert, denn die Liste hat inzwischen ${foundCount} Dateien statt ${seenCount}.`,
    foldersCollide: (path: string) =>
      `Der Ordner bleibt, wo er ist, denn unter „${path}“ liegt schon eine Datei.`,
    replaceConflicts: (conflicts: readonly ReplaceConflict[]) => ({
      sentence:
        conflicts.length === 1
          ? 'Nichts wurde umbenannt, denn bei einer Datei gibt es einen Konflikt.'
          : `Nichts wurde umbenannt, denn bei ${conflicts.length} Dateien gibt es Konflikte.`,
      fields: { konflikte: conflicts },
    }),
  }),
  ...createFailures(429, {
    sizesCrowded: () => ({
      sentence: 'Von dieser Adresse warten schon zu viele Bildgrößen; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '10' },
    }),
  }),
  ...createFailures(503, {
    sizeNotReady: () => ({
      sentence: 'Diese Bildgröße wird gerade gemacht; bitte gleich erneut versuchen.',
      headers: { 'Retry-After': '5' },
    }),
  }),
}
