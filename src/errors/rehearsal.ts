/** Errors of the rehearsal of a restore. */
import { formatBytes } from '../contract/values/bytes.ts'
import { type BackupTrouble, backupErrors, englishBytes } from './backup-trouble.ts'

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
