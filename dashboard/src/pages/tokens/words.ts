/** UI texts of the tokens page. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Schlüssel, mit denen Spielserver, Bots und ShareX hochladen.',
    en: 'Keys with which game servers, bots and ShareX upload.',
  },
  create: { de: 'Neues Token', en: 'New token' },
  edit: { de: 'Bearbeiten', en: 'Edit' },
  editOne: filled({ de: '„#“ bearbeiten', en: 'Edit “#”' }),
  more: filled({ de: 'Mehr zu „#“', en: 'More about “#”' }),
  showFiles: { de: 'Dateien zeigen', en: 'Show files' },
  howTo: { de: 'Beispiele und ShareX', en: 'Examples and ShareX' },

  // Rights of a token in words; text between backticks is shown as code.
  writesBelow: filled({
    de: 'darf nur unter `#` schreiben, nicht löschen',
    en: 'may write only under `#` but not delete',
  }),
  writesAndDeletesBelow: filled({
    de: 'darf nur unter `#` schreiben und löschen',
    en: 'may write and delete only under `#`',
  }),
  writes: { de: 'darf überall schreiben, nicht löschen', en: 'may write everywhere but not delete' },
  writesAndDeletes: { de: 'darf überall schreiben und löschen', en: 'may write and delete everywhere' },
  quota: filled({ de: 'höchstens #, #', en: 'at most #, #' }),
  quotaBar: filled({ de: 'Kontingent von „#“', en: 'Quota of “#”' }),
  quotaNear: {
    de: 'Fast aufgebraucht: Was nicht mehr passt, wird abgelehnt.',
    en: 'Nearly used up: what no longer fits is refused.',
  },
  noQuota: filled({ de: '#, ohne Obergrenze', en: '#, without a limit' }),
  stored: filled({ de: 'belegt # mit #', en: 'uses # for #' }),
  nothingStored: { de: 'noch nichts hochgeladen', en: 'nothing uploaded yet' },
  onlyKinds: filled({ de: 'nur #', en: '# only' }),
  validUntil: filled({ de: 'gültig bis #', en: 'valid until #' }),
  expired: { de: 'Abgelaufen', en: 'Expired' },
  expiredSince: filled({
    de: 'gültig bis #; seitdem wird es abgelehnt',
    en: 'valid until #; refused since then',
  }),
  neverUsed: { de: 'noch nie benutzt', en: 'never used' },
  lastUsed: { de: 'zuletzt benutzt', en: 'last used' },
  created: { de: 'erstellt', en: 'created' },

  withdrawTitle: filled({ de: 'Token „#“ widerrufen?', en: 'Revoke token “#”?' }),
  withdrawLoss: {
    de: 'Was diesen Schlüssel benutzt, kann sofort nichts mehr hochladen. Das lässt sich nicht zurücknehmen; ein neues Token hat einen neuen Schlüssel.',
    en: 'Anything that uses this key can no longer upload. This cannot be undone; a new token has a new key.',
  },
  withdrawLastUsed: { de: 'Zuletzt benutzt:', en: 'Last used:' },
  filesStay: plural({
    de: ['Die eine Datei (#) bleibt.', 'Die # Dateien (#) bleiben.'],
    en: ['The one file (#) stays.', 'The # files (#) stay.'],
  }),
  withdrawn: filled({ de: '„#“ ist widerrufen.', en: '“#” has been revoked.' }),
  empty: { de: 'Noch kein Token', en: 'No token yet' },
  emptyHint: {
    de: 'Mit einem Token laden Spielserver, Bots und ShareX hoch. Was es darf, legt man beim Erstellen fest.',
    en: 'With a token, game servers, bots and ShareX upload. What it may do is set when it is created.',
  },
})

/** The kinds of files in the plural, for use within a sentence. */
export const kindsInSentence = defineWords({
  bilder: { de: 'Bilder', en: 'pictures' },
  video: { de: 'Videos', en: 'videos' },
  audio: { de: 'Audio', en: 'audio' },
  dokumente: { de: 'Dokumente', en: 'documents' },
  sonstige: { de: 'sonstige Dateien', en: 'other files' },
})
