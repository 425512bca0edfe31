/** UI texts of signing in. */
import { defineWords, filled, plural } from '../../language/words.ts'

export const words = defineWords({
  title: { de: 'Anmelden', en: 'Sign in' },
  signInWith: filled({ de: 'Mit # anmelden', en: 'Sign in with #' }),
  sessionEnded: {
    de: 'Die Anmeldung ist zu Ende: Sie ist abgelaufen oder wurde anderswo beendet. Was hier eingegeben wurde, bleibt stehen.',
    en: 'The session has ended: it expired, or it was ended elsewhere. What was typed here stays.',
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
  or: { de: 'oder', en: 'or' },
  passkey: { de: 'Passkey verwenden', en: 'Use a passkey' },
  codeTitle: { de: 'Zweiter Faktor', en: 'Second factor' },
  codeHint: {
    de: 'Das Passwort stimmt. Nun fehlt der Code der Authenticator-App.',
    en: 'The password is right. Now enter the code of the authenticator app.',
  },
  code: { de: 'Code aus der App', en: 'Code from the app' },
  emergencyCode: { de: 'Notfallcode', en: 'Emergency code' },
  codeMissing: { de: 'Bitte den Code eingeben.', en: 'Please enter the code.' },
  withEmergencyCode: { de: 'Stattdessen einen Notfallcode eingeben', en: 'Use an emergency code instead' },
  withApp: { de: 'Doch den Code aus der App eingeben', en: 'Use the code from the app instead' },
  otherAccount: { de: 'Zurück zum Passwort', en: 'Back to the password' },
  startAgain: { de: 'Von vorn beginnen', en: 'Start again' },
  unlocked: { de: 'Jetzt geht es wieder.', en: 'You can try again now.' },
})
