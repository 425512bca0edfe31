/** Errors about files and folders that are absent or in the way: library, trash, share links. */
import type { ReplaceConflict } from '../contract/library.ts'
import { Failure } from './failure.ts'

export const libraryFailures = {
  fileAbsent: () => new Failure('file-absent', 404, 'Unter dieser Adresse liegt keine Datei.'),
  folderAbsent: () => new Failure('folder-absent', 404, 'Diesen Ordner gibt es nicht.'),
  previewAbsent: () => new Failure('preview-absent', 404, 'Zu dieser Datei gibt es keine Vorschau.'),
  trashEntryAbsent: (nr: number) =>
    new Failure('trash-entry-absent', 404, `Im Papierkorb gibt es keinen Eintrag mit der Nummer ${nr}.`),
  shareAbsent: () => new Failure('share-absent', 404, 'Diese Freigabe gibt es nicht oder nicht mehr.'),
  pathTaken: (path: string) =>
    new Failure('path-taken', 409, `Unter „${path}“ liegt schon eine Datei; sie wurde nicht überschrieben.`),
  pathRepeated: (path: string) =>
    new Failure(
      'path-repeated',
      409,
      `„${path}“ kommt in dieser Sendung mehrmals vor; gespeichert wird nur die erste Datei.`,
    ),
  pathShared: (path: string) =>
    new Failure('path-shared', 409, `Mehrere Dateien bekämen den gleichen Pfad „${path}“.`),
  alreadyThere: () => new Failure('already-there', 409, 'Die Datei liegt schon in diesem Ordner.'),
  folderIntoItself: () =>
    new Failure('folder-into-itself', 400, 'Ein Ordner lässt sich nicht in sich selbst verschieben.'),
  folderUnfit: (path: string, why: string) =>
    new Failure(
      'folder-unfit',
      400,
      `Der Ordner bleibt, wo er ist, denn der neue Pfad „${path}“ wäre ungültig: ${why}.`,
    ),
  foldersCollide: (path: string) =>
    new Failure(
      'folders-collide',
      409,
      `Der Ordner bleibt, wo er ist, denn unter „${path}“ liegt schon eine Datei.`,
    ),
  expressionInvalid: () =>
    new Failure('expression-invalid', 400, 'Das Feld „suche“ ist kein gültiger regulärer Ausdruck (RE2).'),
  expressionTooSlow: () =>
    new Failure(
      'expression-too-slow',
      400,
      'Dieser reguläre Ausdruck ist für so viele Dateien zu aufwendig; bitte auf einen Ordner eingrenzen.',
    ),
  tooManyHits: (limit: number) =>
    new Failure(
      'too-many-hits',
      400,
      `Das träfe mehr als ${limit} Dateien; bitte die Suche auf einen Ordner eingrenzen.`,
    ),
  replaceConflicts: (konflikte: readonly ReplaceConflict[]) =>
    new Failure(
      'replace-conflicts',
      409,
      konflikte.length === 1
        ? 'Nichts wurde umbenannt, denn bei einer Datei gibt es einen Konflikt.'
        : `Nichts wurde umbenannt, denn bei ${konflikte.length} Dateien gibt es Konflikte.`,
      {},
      { fields: { konflikte } },
    ),
} as const
