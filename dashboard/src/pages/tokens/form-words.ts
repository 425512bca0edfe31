/** UI texts of the token form and of a new key. */

import { PATH_MAX_LEVELS } from '../../../../src/contract/paths/path-rules.ts'
import { TOKEN_NAME_MAX_LENGTH } from '../../../../src/contract/values/input-limits.ts'
import { defineWords, filled } from '../../language/words.ts'

/** Maximum number of folder levels: the last level of a path is the file. */
const MAX_FOLDER_LEVELS = PATH_MAX_LEVELS - 1

export const formWords = defineWords({
  create: { de: 'Token erstellen', en: 'Create token' },
  saved: filled({ de: '„#“ gespeichert.', en: '“#” saved.' }),
  who: { de: 'Wer und wo', en: 'Who and where' },
  limitsHint: { de: 'Leer heißt: keine solche Grenze.', en: 'Leave empty for no limit.' },

  name: { de: 'Name', en: 'Name' },
  nameHint: {
    de: 'Wer es benutzt, etwa Discord-Bot. Steht so im Verlauf.',
    en: 'Who uses it, such as Discord bot. Shown in the history.',
  },
  quotaBelow: filled({
    de: 'Schon # belegt: Neues wird abgelehnt, bis wieder Platz ist.',
    en: '# already used: new files are refused until there is space.',
  }),

  nameMissing: { de: 'Bitte einen Namen angeben.', en: 'Please enter a name.' },
  nameLong: {
    de: `Höchstens ${TOKEN_NAME_MAX_LENGTH} Zeichen.`,
    en: `At most ${TOKEN_NAME_MAX_LENGTH} characters.`,
  },
  folderInvalid: {
    de: `Nur Buchstaben (a–z), Ziffern, Punkt, Bindestrich und Unterstrich, etwa items/waffen; höchstens ${MAX_FOLDER_LEVELS} Ebenen.`,
    en: `Only letters (a–z), digits, dot, hyphen and underscore, such as items/weapons; at most ${MAX_FOLDER_LEVELS} levels.`,
  },
  noSize: {
    de: 'Bitte eine Zahl größer als null eingeben, etwa 1,5.',
    en: 'Please enter a number above zero, such as 1.5.',
  },
  noDay: { de: 'Das ist kein Datum.', en: 'This is not a date.' },
  dayOver: { de: 'Dieser Tag ist schon vorbei.', en: 'This day has already passed.' },
  dayFar: { de: 'Das liegt zu weit in der Zukunft.', en: 'This is too far in the future.' },
  noNumber: {
    de: 'Bitte eine ganze Zahl größer als null eingeben.',
    en: 'Please enter a whole number above zero.',
  },

  readyTitle: filled({ de: '„#“ ist fertig', en: '“#” is ready' }),
  key: { de: 'Schlüssel', en: 'Key' },
  keyOnce: {
    de: 'Nur jetzt zu sehen. Bitte gleich kopieren: Danach kennt ihn auch der Dienst nicht mehr.',
    en: 'Shown only now. Please copy it at once: afterwards not even the service knows it.',
  },
  copyKey: { de: 'Schlüssel kopieren', en: 'Copy key' },
  keyKept: { de: 'Fertig, Schlüssel ist kopiert', en: 'Done, the key is copied' },
  keyUnknown: filled({
    de: 'Der Schlüssel war nur beim Erstellen zu sehen; er gehört an die Stelle von #. Ist er verloren, hilft nur ein neues Token.',
    en: 'The key was shown only when the token was created; put it in place of #. If it is lost, create a new token.',
  }),
})
