/** UI texts of the setup page. */
import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Einrichtung', en: 'Setup' },
  description: {
    de: 'Das erste Konto anlegen. Der Code steht im Terminal, in dem der Dienst gestartet wurde, oder in seinem Protokoll („Einrichtungscode“).',
    en: 'Create the first account. The code is in the terminal where the service was started, or in its log (“Einrichtungscode”).',
  },
  code: { de: 'Einrichtungscode', en: 'Setup code' },
  submit: { de: 'Konto anlegen', en: 'Create the account' },
})
