/** UI texts of the history. */
import { defineWords, filled } from '../../language/words.ts'

export const words = defineWords({
  only: filled({ de: 'nur #', en: 'only #' }),
  description: {
    de: 'Was geschah, und wer es war. Kein Eintrag wird je entfernt.',
    en: 'What happened, and who did it. No entry is ever removed.',
  },
  administration: { de: 'Verwaltung', en: 'Administration' },
  csv: { de: 'Als CSV', en: 'As CSV' },
  csvHint: filled({
    de: 'Was die Filter gerade zeigen, höchstens die neuesten # Zeilen',
    en: 'What the filters show now, at most the newest # lines',
  }),
  filters: { de: 'Filter', en: 'Filters' },
  what: { de: 'Was', en: 'What' },
  everything: { de: 'Alles', en: 'Everything' },
  who: { de: 'Wer', en: 'Who' },
  whoHint: { de: 'Token oder Konto', en: 'Token or account' },
  path: { de: 'Pfad beginnt mit', en: 'Path begins with' },
  pathHint: { de: 'z. B. clips/', en: 'e.g. clips/' },
  from: { de: 'Ab', en: 'From' },
  to: { de: 'Bis', en: 'To' },
  clear: { de: 'Filter aufheben', en: 'Clear filters' },
  today: { de: 'Heute', en: 'Today' },
  yesterday: { de: 'Gestern', en: 'Yesterday' },
  empty: { de: 'Noch ist nichts geschehen', en: 'Nothing has happened yet' },
  emptyHint: {
    de: 'Jeder Upload, jede Umbenennung und jedes Löschen steht später hier.',
    en: 'Every upload, renaming and deletion will be listed here.',
  },
  administrationEmptyHint: {
    de: 'Jede Änderung an Einstellungen, Tokens, Freigaben und Konten steht später hier.',
    en: 'Every change to settings, tokens, shares and accounts will be listed here.',
  },
  noMatch: { de: 'Dazu steht nichts im Verlauf', en: 'Nothing in the history matches' },
  noMatchHint: { de: 'Mit weniger Filtern findet sich vielleicht mehr.', en: 'Fewer filters may find more.' },
  openGroup: { de: 'Dateien zeigen', en: 'Show the files' },
  closeGroup: { de: 'Dateien verbergen', en: 'Hide the files' },
  groupFiles: { de: 'Dateien dieser Aktion', en: 'Files of this action' },
  service: { de: 'Der Dienst', en: 'The service' },
  operator: { de: 'Die Kommandozeile', en: 'The command line' },
  drop: { de: 'Abgabe', en: 'Drop link' },
  /** Labels of the old and the new value of an entry. */
  before: { de: 'vorher', en: 'before' },
  after: { de: 'nachher', en: 'after' },
  unlimited: { de: 'ohne Grenzen', en: 'without limits' },
  retentionRules: { de: 'die Fristen', en: 'the retention rules' },
  /** Translations of `(hochgeladen)` and `(abgerufen)` in the values of retention rules. */
  fromUpload: { de: '(ab dem Hochladen)', en: '(from the upload)' },
  fromView: { de: '(ab dem letzten Abruf)', en: '(from the last view)' },
  noAnswer: { de: 'keine Antwort', en: 'no answer' },
})

/**
 * Sentences about a file, with the placeholders {wer} (who), {pfad} (the path), {vorher} (the former path)
 * and {groesse} (the size).
 */
export const fileSentences = defineWords({
  hochgeladen: {
    de: '{wer} hat {pfad} hochgeladen, {groesse}',
    en: '{wer} uploaded {pfad}, {groesse}',
  },
  ueberschrieben: {
    de: '{wer} hat {pfad} überschrieben, jetzt {groesse}',
    en: '{wer} overwrote {pfad}, now {groesse}',
  },
  umbenannt: {
    de: '{wer} hat {vorher} in {pfad} umbenannt',
    en: '{wer} renamed {vorher} to {pfad}',
  },
  verschoben: {
    de: '{wer} hat {vorher} nach {pfad} verschoben',
    en: '{wer} moved {vorher} to {pfad}',
  },
  geloescht: {
    de: '{wer} hat {pfad} in den Papierkorb gelegt, {groesse}',
    en: '{wer} moved {pfad} to the trash, {groesse}',
  },
  wiederhergestellt: {
    de: '{wer} hat {pfad} aus dem Papierkorb geholt, {groesse}',
    en: '{wer} restored {pfad} from the trash, {groesse}',
  },
  entfernt: {
    de: '{wer} hat {pfad} endgültig entfernt, {groesse}',
    en: '{wer} deleted {pfad} for good, {groesse}',
  },
})

/** Sentences about an action on many files, with the placeholders {wer} (who) and {anzahl} (how many). */
export const groupSentences = defineWords({
  hochgeladen: { de: '{wer} hat {anzahl} Dateien hochgeladen', en: '{wer} uploaded {anzahl} files' },
  ueberschrieben: { de: '{wer} hat {anzahl} Dateien überschrieben', en: '{wer} overwrote {anzahl} files' },
  umbenannt: { de: '{wer} hat {anzahl} Dateien umbenannt', en: '{wer} renamed {anzahl} files' },
  verschoben: { de: '{wer} hat {anzahl} Dateien verschoben', en: '{wer} moved {anzahl} files' },
  geloescht: {
    de: '{wer} hat {anzahl} Dateien in den Papierkorb gelegt',
    en: '{wer} moved {anzahl} files to the trash',
  },
  wiederhergestellt: {
    de: '{wer} hat {anzahl} Dateien aus dem Papierkorb geholt',
    en: '{wer} restored {anzahl} files from the trash',
  },
  entfernt: {
    de: '{wer} hat {anzahl} Dateien endgültig entfernt',
    en: '{wer} deleted {anzahl} files for good',
  },
})

/**
 * Sentences about the administration, with the placeholders {wer} (who) and {name} (the name of what was
 * changed, such as a setting, a token, an account or a folder).
 */
export const administrationSentences = defineWords({
  setting: { de: '{wer} hat {name} geändert', en: '{wer} changed {name}' },
  token_erstellt: { de: '{wer} hat das Token {name} angelegt', en: '{wer} created the token {name}' },
  token_geaendert: { de: '{wer} hat das Token {name} geändert', en: '{wer} changed the token {name}' },
  token_widerrufen: { de: '{wer} hat das Token {name} widerrufen', en: '{wer} revoked the token {name}' },
  konto_erstellt: { de: '{wer} hat das Konto {name} angelegt', en: '{wer} added the account {name}' },
  konto_geaendert: {
    de: '{wer} hat die Rechte von {name} geändert',
    en: '{wer} changed the rights of {name}',
  },
  konto_geloescht: { de: '{wer} hat das Konto {name} gelöscht', en: '{wer} deleted the account {name}' },
  einladung_erstellt: { de: '{wer} hat eingeladen: {name}', en: '{wer} invited: {name}' },
  einladung_widerrufen: {
    de: '{wer} hat eine Einladung widerrufen: {name}',
    en: '{wer} revoked an invitation: {name}',
  },
  einladung_angenommen: {
    de: '{wer} hat eine Einladung von {name} angenommen',
    en: '{wer} accepted an invitation of {name}',
  },
  sitzungen_beendet: {
    de: '{wer} hat Sitzungen des Kontos {name} beendet',
    en: '{wer} ended sessions of the account {name}',
  },
  passwort_geaendert: {
    de: '{wer} hat das Passwort von {name} geändert',
    en: '{wer} changed the password of {name}',
  },
  zweiter_faktor_eingerichtet: {
    de: '{wer} hat für das Konto {name} einen zweiten Faktor eingerichtet',
    en: '{wer} set up a second factor for the account {name}',
  },
  zweiter_faktor_entfernt: {
    de: '{wer} hat den zweiten Faktor des Kontos {name} entfernt',
    en: '{wer} removed the second factor of the account {name}',
  },
  passkey_erstellt: { de: '{wer} hat den Passkey {name} hinzugefügt', en: '{wer} added the passkey {name}' },
  passkey_umbenannt: {
    de: '{wer} hat einen Passkey in {name} umbenannt',
    en: '{wer} renamed a passkey to {name}',
  },
  passkey_entfernt: { de: '{wer} hat den Passkey {name} entfernt', en: '{wer} removed the passkey {name}' },
  abgabe_erstellt: {
    de: '{wer} hat einen Link zum Abgeben in {name} erstellt',
    en: '{wer} made a drop link for {name}',
  },
  abgabe_beendet: {
    de: '{wer} hat den Link zum Abgeben in {name} beendet',
    en: '{wer} ended the drop link for {name}',
  },
  freigabe_erstellt: { de: '{wer} hat den Ordner {name} freigegeben', en: '{wer} shared the folder {name}' },
  freigabe_geaendert: {
    de: '{wer} hat das Ende einer Freigabe geändert: {name}',
    en: '{wer} changed the end of a share: {name}',
  },
  freigabe_widerrufen: {
    de: '{wer} hat die Freigabe von {name} zurückgezogen',
    en: '{wer} revoked the share of {name}',
  },
  webhook_getestet: {
    de: '{wer} hat eine Testnachricht gesendet: {name}',
    en: '{wer} sent a test message: {name}',
  },
})
