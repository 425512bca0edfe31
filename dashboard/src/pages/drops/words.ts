/** UI texts of the drop links. */
import { defineWords, filled } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Abgaben', en: 'Drop links' },
  whatItDoes: {
    de: 'Links zu einer Seite, auf der man ohne Konto Dateien abgibt.',
    en: 'Links to a page on which people hand in files without an account.',
  },
  create: { de: 'Link zum Abgeben erstellen', en: 'Create a drop link' },
  make: { de: 'Link erstellen', en: 'Create link' },
  folderHint: { de: 'Hierhin kommen die Dateien.', en: 'The files go here.' },
  folderMissing: { de: 'Bitte einen Ordner wählen.', en: 'Please choose a folder.' },
  note: { de: 'Hinweis für die Besucher', en: 'Words for the visitors' },
  kinds: { de: 'Nur diese Arten', en: 'Only these kinds' },
  kindsHint: { de: 'Nichts gewählt: alle.', en: 'None chosen: all.' },
  size: { de: 'Größte Datei in MB', en: 'Largest file in MB' },
  count: { de: 'Anzahl der Dateien insgesamt', en: 'Number of files in total' },
  until: { de: 'Bis zum Ende dieses Tages', en: 'Until the end of this day' },
  notNumber: { de: 'Bitte eine Zahl größer als null.', en: 'Please enter a number above zero.' },
  handedIn: filled({ de: '# von # Dateien abgegeben, #', en: '# of # files handed in, #' }),
  validUntil: filled({ de: 'bis #', en: 'until #' }),
  end: { de: 'Beenden', en: 'End' },
  endOne: filled({ de: 'Link zum Abgeben in „#“ beenden', en: 'End the drop link for “#”' }),
  endTitle: filled({ de: 'Link zum Abgeben in „#“ beenden?', en: 'End the drop link for “#”?' }),
  endLoss: {
    de: 'Dann nimmt er keine Dateien mehr an. Was abgegeben wurde, bleibt.',
    en: 'It then accepts no more files. What was handed in stays.',
  },
  ended: { de: 'Der Link ist beendet.', en: 'The link has ended.' },
})
