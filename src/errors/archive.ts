/** Errors of an archive that is damaged, incomplete or unknown. */
import { formatBytes } from '../contract/values/bytes.ts'
import { backupErrors, englishBytes } from './backup-trouble.ts'
import { bilingualParts } from './failure.ts'

export const archiveTrouble = backupErrors(null, {
  foreign: () =>
    bilingualParts(
      'Das ist kein Archiv von Fundus, oder schon sein Anfang (manifest.json) ist beschädigt.',
      'This is not an archive of Fundus, or its very beginning (manifest.json) is damaged.',
    ),
  formatUnknown: (format: unknown) =>
    bilingualParts(
      `Laut manifest.json hat das Archiv das Format ${JSON.stringify(format)}, das diese Version nicht kennt; vielleicht kommt es von einer neueren.`,
      `According to manifest.json the archive has the format ${JSON.stringify(format)}, which this version does not know; it may come from a newer one.`,
    ),
  schemaNewer: (names: readonly string[]) =>
    bilingualParts(
      `Das Archiv kommt von einer neueren Version des Dienstes (${names.join(', ')}); bitte zuerst aktualisieren.`,
      `The archive comes from a newer version of the service (${names.join(', ')}); please update first.`,
    ),
  cut: (size: number) =>
    bilingualParts(
      `Das Archiv ist abgeschnitten: Es endet nach ${formatBytes(size)}, bevor alles da ist.`,
      `The archive is cut off: it ends after ${englishBytes(size)}, before everything is there.`,
    ),
  tooLong: (bytes: number) =>
    bilingualParts(
      `Hinter dem Ende des Archivs stehen noch ${formatBytes(bytes)}, die nicht dazugehören.`,
      `Behind the end of the archive there are ${englishBytes(bytes)} that do not belong to it.`,
    ),
  broken: (name: string) =>
    bilingualParts(
      `Das Archiv ist beschädigt: „${name}“ stimmt nicht mit seiner Prüfsumme überein.`,
      `The archive is damaged: “${name}” does not match its checksum.`,
    ),
  contentBroken: (name: string, sha256: string) =>
    bilingualParts(
      `Die Sicherung ist beschädigt: Der Inhalt von „${name}“ (bestand/${sha256.slice(0, 2)}/${sha256}) stimmt nicht mit seiner Prüfsumme überein.`,
      `The backup is damaged: the content of “${name}” (bestand/${sha256.slice(0, 2)}/${sha256}) does not match its checksum.`,
    ),
  contentMissing: (name: string, sha256: string) =>
    bilingualParts(
      `Die Sicherung ist unvollständig: Der Inhalt von „${name}“ (bestand/${sha256.slice(0, 2)}/${sha256}) fehlt.`,
      `The backup is incomplete: the content of “${name}” (bestand/${sha256.slice(0, 2)}/${sha256}) is missing.`,
    ),
  headerBroken: (previousEntry: string) =>
    bilingualParts(
      `Das Archiv ist beschädigt: Der Eintrag hinter „${previousEntry}“ hat einen falschen Kopf.`,
      `The archive is damaged: the entry behind “${previousEntry}” has a wrong header.`,
    ),
  listLost: () =>
    bilingualParts(
      'Das Archiv ist beschädigt: „pruefsummen.sha256“ liegt nicht dort, wo „manifest.json“ es nennt.',
      'The archive is damaged: “pruefsummen.sha256” is not where “manifest.json” says.',
    ),
  paddingBroken: (name: string) =>
    bilingualParts(
      `Das Archiv ist beschädigt: Hinter „${name}“ stehen Bytes, die dort nicht hingehören.`,
      `The archive is damaged: behind “${name}” there are bytes that do not belong there.`,
    ),
  endBroken: () =>
    bilingualParts(
      'Das Archiv ist beschädigt: Sein Ende ist nicht so, wie es geschrieben wurde.',
      'The archive is damaged: its end is not as it was written.',
    ),
  nameForeign: (name: string) =>
    bilingualParts(
      `Das Archiv enthält den Namen ${JSON.stringify(name)}, den keine Sicherung hat.`,
      `The archive contains the name ${JSON.stringify(name)}, which no backup has.`,
    ),
  rowInvalid: (table: string, line: number, column?: string) => {
    const columnText = column === undefined ? '' : ` (${column})`
    return bilingualParts(
      `Zeile ${line} von „datenbank/${table}.jsonl“ ist keine, die eine Sicherung schreibt${columnText}.`,
      `Line ${line} of “datenbank/${table}.jsonl” is not one that a backup writes${columnText}.`,
    )
  },
})
