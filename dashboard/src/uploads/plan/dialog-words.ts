/** UI texts of the upload dialogs. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const planWords = defineWords({
  title: { de: 'Vor dem Hochladen', en: 'Before uploading' },
  failed: { de: 'Das Hochladen kann noch nicht beginnen', en: 'The upload cannot begin yet' },
  target: filled({ de: 'Ziel: #', en: 'Target: #' }),
  conflicts: plural({
    de: ['Eine Datei gibt es dort schon', '# Dateien gibt es dort schon'],
    en: ['One file already exists there', '# files already exist there'],
  }),
  choice: { de: 'Was soll geschehen?', en: 'What should happen?' },
  skip: { de: 'Überspringen', en: 'Skip' },
  skipHint: { de: 'Was dort liegt, bleibt, wie es ist.', en: 'What is there stays as it is.' },
  overwrite: { de: 'Überschreiben', en: 'Overwrite' },
  overwriteHint: {
    de: 'Die Adresse bleibt und zeigt danach die neue Datei.',
    en: 'The address stays the same and shows the new file.',
  },
  renameHint: filled({
    de: 'Beides bleibt: die neue heißt dann etwa #.',
    en: 'Both stay: the new one is then called #, for example.',
  }),
  twins: {
    de: 'Dateien, die sich nur in Groß- und Kleinschreibung unterscheiden, bekommen dabei verschiedene Namen.',
    en: 'Files that differ only in case get different names.',
  },
  names: plural({
    de: ['Ein Name ist so nicht erlaubt', '# Namen sind so nicht erlaubt'],
    en: ['One name is not allowed as it is', '# names are not allowed as they are'],
  }),
  clean: { de: 'Namen anpassen', en: 'Adjust the names' },
  cleanHint: {
    de: 'Umlaute werden zu ae, oe, ue, Leerzeichen zu Bindestrichen. Sonst werden diese Dateien nicht hochgeladen.',
    en: 'Umlauts become ae, oe, ue, spaces become hyphens. Otherwise these files are not uploaded.',
  },
  lowered: plural({
    de: ['Ein Name wird klein geschrieben', '# Namen werden klein geschrieben'],
    en: ['One name is changed to lower case', '# names are changed to lower case'],
  }),
  leftOut: plural({
    de: ['Eine Datei kann nicht hochgeladen werden', '# Dateien können nicht hochgeladen werden'],
    en: ['One file cannot be uploaded', '# files cannot be uploaded'],
  }),
  large: filled({ de: '#, erlaubt sind #', en: '#, at most # is allowed' }),
  empty: { de: 'die Datei ist leer', en: 'the file is empty' },
  uploadFiles: plural({
    de: ['Eine Datei hochladen', '# Dateien hochladen'],
    en: ['Upload one file', 'Upload # files'],
  }),
  nothing: { de: 'Nichts hochzuladen', en: 'Nothing to upload' },
})

export const addressWords = defineWords({
  address: { de: 'Adresse der Datei', en: 'Address of the file' },
  addressHint: {
    de: 'Der Dienst lädt die Datei selbst; sie muss öffentlich erreichbar sein.',
    en: 'The service fetches the file itself; it must be publicly reachable.',
  },
  name: { de: 'Dateiname', en: 'File name' },
  nameHint: { de: 'Leer: wie die Quelle ihn nahelegt.', en: 'Empty: as the source suggests.' },
  fetch: { de: 'Holen', en: 'Fetch' },
  fetching: {
    de: 'Wird geholt; das kann bis zu einer Minute dauern …',
    en: 'Fetching; this may take up to a minute …',
  },
  done: filled({ de: 'Gespeichert als #', en: 'Stored as #' }),
  another: { de: 'Noch eine', en: 'Another one' },
})
