/** UI texts of the invitation page. */
import { defineWords } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Einladung', en: 'Invitation' },
  description: {
    de: 'Willkommen! Mit dem Namen und dem Passwort, die hier gewählt werden, geht es künftig hinein.',
    en: 'Welcome! The name and password chosen here are for signing in from now on.',
  },
  code: { de: 'Code aus dem Link', en: 'Code from the link' },
  submit: { de: 'Konto anlegen', en: 'Create the account' },
})
