/** UI texts of the page of shares. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Links, die die Liste eines Ordners zeigen, ohne Anmeldung.',
    en: 'Links that show the list of a folder, without signing in.',
  },
  whatItDoes: {
    de: 'Ein Link veröffentlicht die Liste, nicht den Inhalt: Jede Datei ist unter ihrer Adresse ohnehin für alle lesbar. Mit dem Link sieht man, welche es gibt, auch in Unterordnern und was später dazukommt.',
    en: 'A link publishes the list, not the content: every file can be read by anyone at its address anyway. The link shows which ones there are, in subfolders too, and what is added later.',
  },
  create: { de: 'Ordner freigeben', en: 'Share a folder' },
  folderHint: { de: 'Mit allem, was darunter liegt.', en: 'With everything below it.' },
  folderMissing: { de: 'Bitte einen Ordner wählen.', en: 'Please choose a folder.' },
  shareOne: filled({ de: '„#“ freigeben', en: 'Share “#”' }),
  makeLink: { de: 'Link erstellen und kopieren', en: 'Create and copy link' },
  copied: { de: 'Der Link ist kopiert.', en: 'The link has been copied.' },
  ready: filled({ de: 'Link auf „#“', en: 'Link to “#”' }),
  readyHint: {
    de: 'Fertig. Wer diesen Link hat, sieht die Liste. Er bleibt hier unter „Freigaben“.',
    en: 'Done. Whoever has this link sees the list. It stays here under “Shares”.',
  },
  neverExpires: { de: 'Er gilt, bis er widerrufen wird.', en: 'It is valid until it is revoked.' },
  endsBy: filled({ de: 'Er gilt bis #.', en: 'It is valid until #.' }),
  until: { de: 'Gilt bis zum Ende dieses Tages', en: 'Valid until the end of this day' },
  untilHint: { de: 'Leer: ohne Ende.', en: 'Empty: without an end.' },
  dayWrong: { de: 'Bitte einen Tag wählen.', en: 'Please choose a day.' },
  validUntil: filled({ de: 'gilt bis #', en: 'valid until #' }),
  expiredOn: filled({ de: 'abgelaufen seit #', en: 'ended on #' }),
  change: { de: 'Ende ändern', en: 'Change the end' },
  changeOne: filled({ de: 'Ende ändern: Link auf „#“', en: 'Change the end: link to “#”' }),
  save: { de: 'Speichern', en: 'Save' },
  done: { de: 'Fertig', en: 'Done' },
  open: { de: 'Ansehen', en: 'View' },
  showFolder: filled({ de: 'Ordner „#“ zeigen', en: 'Show folder “#”' }),
  madeBy: filled({ de: 'erstellt von #', en: 'created by #' }),
  filesAndSize: plural({ de: ['1 Datei, #', '# Dateien, #'], en: ['1 file, #', '# files, #'] }),
  nothingThere: { de: 'zurzeit keine Dateien', en: 'no files at the moment' },
  withdrawOne: filled({ de: 'Link auf „#“ widerrufen', en: 'Revoke the link to “#”' }),
  withdrawTitle: filled({ de: 'Link auf „#“ widerrufen?', en: 'Revoke the link to “#”?' }),
  withdrawLoss: {
    de: 'Wer ihn öffnet, findet dann nichts mehr; derselbe Link lässt sich nicht wiederherstellen.',
    en: 'Whoever opens it then finds nothing; the same link cannot be restored.',
  },
  filesStay: {
    de: 'Die Dateien bleiben öffentlich: Wer die Adresse einer Datei kennt, kann sie weiterhin abrufen.',
    en: 'The files stay public: whoever knows the address of a file can still open it.',
  },
  withdrawn: { de: 'Der Link ist widerrufen.', en: 'The link has been revoked.' },
  empty: { de: 'Noch nichts freigegeben', en: 'Nothing shared yet' },
})
