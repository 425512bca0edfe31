/** Words of the login page. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Anmelden', en: 'Sign in' },
  ended: {
    de: 'Die Anmeldung ist zu Ende: Sie ist abgelaufen oder wurde anderswo beendet. Nach dem Anmelden geht es an derselben Stelle weiter.',
    en: 'The session has ended: it expired, or it was ended elsewhere. After signing in you return to where you were.',
  },
  uploadsWait: {
    de: 'Auch das Hochladen wartet so lange und geht dann von selbst weiter.',
    en: 'Uploads wait until then and go on by themselves.',
  },
  locked: filled({
    de: 'Zu viele Fehlversuche. Weiter geht es in #.',
    en: 'Too many failed attempts. Try again in #.',
  }),
  seconds: plural({ de: ['einer Sekunde', '# Sekunden'], en: ['one second', '# seconds'] }),
  unlocked: { de: 'Jetzt geht es wieder.', en: 'You can try again now.' },
})
