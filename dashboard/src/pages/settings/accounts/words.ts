/** Words of the accounts. */
import { defineWords, filled } from '../../../language/words.ts'

export const words = defineWords({
  created: { de: 'Angelegt', en: 'Created' },
  lastSeen: { de: 'Zuletzt angemeldet', en: 'Last signed in' },
  actions: { de: 'Aktionen', en: 'Actions' },
  you: { de: 'eigenes Konto', en: 'your account' },
  add: { de: 'Konto anlegen', en: 'Add an account' },
  addHint: {
    de: 'Jedes Konto darf im Dashboard alles.',
    en: 'Every account may do everything in the dashboard.',
  },
  added: filled({ de: 'Konto # ist angelegt.', en: 'Account # has been added.' }),
  remove: filled({ de: 'Konto # löschen', en: 'Delete account #' }),
  removeLast: {
    de: 'Das letzte Konto bleibt, sonst käme niemand mehr hinein.',
    en: 'The last account stays; otherwise nobody could sign in any more.',
  },
  removeTitle: filled({ de: 'Konto # löschen?', en: 'Delete account #?' }),
  removeHint: {
    de: 'Seine Anmeldungen enden sofort. Dateien und Verlauf bleiben.',
    en: 'Its sessions end at once. Files and history stay.',
  },
  removeOwnHint: {
    de: 'Das ist das eigene Konto: Diese Anmeldung endet damit sofort. Dateien und Verlauf bleiben.',
    en: 'This is your own account: this session ends at once. Files and history stay.',
  },
  removeConfirm: { de: 'Löschen', en: 'Delete' },
  removed: filled({ de: 'Konto # ist gelöscht.', en: 'Account # has been deleted.' }),
})
