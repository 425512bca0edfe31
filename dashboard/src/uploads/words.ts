/** UI texts of the uploads. */
import { defineWords, filled, plural } from '../language/words.ts'

export const words = defineWords({
  into: filled({ de: 'Nach #', en: 'Into #' }),
  intoTop: { de: 'In den obersten Ordner', en: 'Into the top folder' },
  top: { de: 'oberster Ordner', en: 'top folder' },
  chooseFolder: { de: 'Ordner wählen', en: 'Choose a folder' },
  otherWays: {
    de: 'Auch durch Hineinziehen oder Einfügen (Strg + V). ZIP-Archive werden entpackt.',
    en: 'You can also drop or paste files (Ctrl + V). ZIP archives are unpacked.',
  },

  unfinished: filled({ de: 'Unfertig: #', en: 'Unfinished: #' }),
  unfinishedOne: filled({ de: '# (#)', en: '# (#)' }),
  unfinishedOf: filled({ de: '#, von #', en: '#, by #' }),
  cancelUnfinished: filled({ de: '# verwerfen', en: 'Discard #' }),
  unfinishedHint: {
    de: 'Dieselbe Datei in denselben Ordner noch einmal wählen, dann geht es dort weiter.',
    en: 'Choose the same file for the same folder again to continue.',
  },

  dropHere: { de: 'Loslassen zum Hochladen', en: 'Drop to upload' },
  dropHint: {
    de: 'Ordner behalten ihren Aufbau, ZIP-Archive werden entpackt.',
    en: 'Folders keep their structure, ZIP archives are unpacked.',
  },

  preparing: { de: 'Wird vorbereitet …', en: 'Preparing …' },
  running: filled({ de: 'Hochladen läuft: #', en: 'Uploading: #' }),
  ringWaiting: { de: 'Das Hochladen wartet', en: 'Uploads are waiting' },
  ringPaused: { de: 'Das Hochladen ist angehalten', en: 'Uploads are paused' },
  openList: { de: 'Hochgeladenes zeigen', en: 'Show the uploads' },
  minimise: { de: 'Liste verbergen', en: 'Hide the list' },
  list: { de: 'Hochladen', en: 'Uploads' },
  progress: filled({ de: '# von # hochgeladen', en: '# of # uploaded' }),
  stored: plural({
    de: ['Eine Datei hochgeladen', '# Dateien hochgeladen'],
    en: ['One file uploaded', '# files uploaded'],
  }),
  notStored: filled({ de: '# nicht', en: '# not' }),
  notUploaded: filled({ de: 'Nicht hochgeladen: #', en: 'Not uploaded: #' }),
  notUploadedAndMore: filled({ de: 'Nicht hochgeladen: # und # weitere', en: 'Not uploaded: # and # more' }),
  nothingStored: { de: 'Nichts hochgeladen', en: 'Nothing uploaded' },
  pause: { de: 'Anhalten', en: 'Pause' },
  pausedHint: {
    de: 'Angehalten. Begonnene Dateien werden noch fertig übertragen.',
    en: 'Paused. Files that are already being sent are completed.',
  },
  away: {
    de: 'Der Dienst ist nicht erreichbar. Das Hochladen geht weiter, sobald er antwortet.',
    en: 'The service cannot be reached. The upload continues as soon as it answers.',
  },
  signedOut: {
    de: 'Die Anmeldung ist zu Ende. Das Hochladen geht nach dem Anmelden weiter.',
    en: 'The session has ended. The upload continues after you sign in.',
  },
  proxyStatus: filled({
    de: 'Der Dienst nimmt gerade nichts an (Status #). Das Hochladen geht von selbst weiter.',
    en: 'The service is not accepting files right now (status #). The upload continues by itself.',
  }),
  continuesByItself: { de: 'Das Hochladen geht von selbst weiter.', en: 'The upload continues by itself.' },
  nextAttempt: filled({ de: 'Nächster Versuch in #', en: 'Next attempt in #' }),
  attempting: { de: 'Es wird weiter versucht …', en: 'Still trying …' },
  tryNow: { de: 'Jetzt versuchen', en: 'Try now' },
  cancelAll: { de: 'Alle abbrechen', en: 'Cancel all' },
  retryAll: { de: 'Übrige erneut versuchen', en: 'Retry the rest' },
  clear: { de: 'Liste leeren', en: 'Clear the list' },
  problems: filled({ de: 'Nicht hochgeladen (#)', en: 'Not uploaded (#)' }),

  cancelOne: filled({ de: '# abbrechen', en: 'Cancel #' }),
  retryOne: filled({ de: '# erneut versuchen', en: 'Try # again' }),
  overwriteRefused: { de: 'Vorhandenes überschreiben', en: 'Overwrite existing files' },
  waiting: { de: 'wartet', en: 'waiting' },
  storing: { de: 'wird gespeichert …', en: 'being stored …' },
  unpacking: { de: 'wird entpackt …', en: 'being unpacked …' },
  archive: { de: 'ZIP, wird entpackt', en: 'ZIP, will be unpacked' },
  unpacked: plural({
    de: ['Eine Datei entpackt', '# Dateien entpackt'],
    en: ['One file unpacked', '# files unpacked'],
  }),
  unpackedRefused: filled({ de: '# abgelehnt', en: '# refused' }),
  cancelled: { de: 'abgebrochen', en: 'cancelled' },
  empty: { de: 'Nicht gesendet: die Datei ist leer.', en: 'Not sent: the file is empty.' },
  large: filled({ de: 'Nicht gesendet: erlaubt sind #.', en: 'Not sent: at most # is allowed.' }),
  skipped: {
    de: 'Übersprungen: eine Datei dieses Namens gibt es dort schon.',
    en: 'Skipped: a file of that name exists there already.',
  },
  unreadable: {
    de: 'Die Datei lässt sich nicht mehr lesen. Vielleicht wurde sie verschoben oder geändert; bitte neu auswählen.',
    en: 'The file cannot be read any more. Perhaps it was moved or changed; please choose it again.',
  },
  broken: {
    de: 'Die Übertragung brach mehrmals ab. Bitte erneut versuchen.',
    en: 'The transfer was interrupted several times. Please try again.',
  },
  unexpected: {
    de: 'Hier ist etwas Unerwartetes geschehen. Bitte erneut versuchen.',
    en: 'Something unexpected happened here. Please try again.',
  },
})
