/** Words of the setup page. */
import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Einrichtung', en: 'Setup' },
  description: {
    de: 'Das erste Konto anlegen. Der Code steht im Protokoll des Dienstes, in der Zeile „Einrichtungscode“.',
    en: 'Create the first account. The code is in the log of the service, in the line “Einrichtungscode”.',
  },
  code: { de: 'Einrichtungscode', en: 'Setup code' },
  submit: { de: 'Konto anlegen', en: 'Create the account' },
})
