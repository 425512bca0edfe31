/** UI texts of the account page. */
import { defineWords, filled } from '../../language/words.ts'

export const words = defineWords({
  description: {
    de: 'Passwort, zweiter Faktor und Anmeldungen des eigenen Kontos.',
    en: 'Password, second factor and sessions of your own account.',
  },
  externalTitle: { de: 'Passwort und zweiter Faktor', en: 'Password and second factor' },
  externalHint: {
    de: 'Dieses Konto meldet sich bei einem Anbieter an. Passwort, zweiter Faktor und Passkeys werden dort verwaltet.',
    en: 'This account signs in at a provider. Password, second factor and passkeys are managed there.',
  },
  changePassword: { de: 'Passwort ändern', en: 'Change password' },
  passwordOld: { de: 'Bisheriges Passwort', en: 'Current password' },
  passwordNew: { de: 'Neues Passwort', en: 'New password' },
  passwordRule: filled({
    de: 'Mindestens # Zeichen. Andere Anmeldungen dieses Kontos enden damit.',
    en: 'At least # characters. This ends all other sessions of this account.',
  }),
  passwordChanged: { de: 'Das Passwort ist geändert.', en: 'The password has been changed.' },

  sessions: { de: 'Anmeldungen', en: 'Sessions' },
  sessionsHint: {
    de: 'Wo dieses Konto angemeldet ist. Eine unbekannte Anmeldung beenden und danach das Passwort ändern.',
    en: 'Where this account is signed in. End a session that you do not know, then change the password.',
  },
  programOn: filled({ de: '# auf #', en: '# on #' }),
  unknownDevice: { de: 'Unbekanntes Gerät', en: 'Unknown device' },
  thisOne: { de: 'diese Anmeldung', en: 'this session' },
  begun: { de: 'angemeldet', en: 'signed in' },
  lastUsed: { de: 'zuletzt benutzt', en: 'last used' },
  end: { de: 'Beenden', en: 'End' },
  endOne: filled({ de: 'Anmeldung beenden: #', en: 'End session: #' }),
  ended: { de: 'Die Anmeldung ist beendet.', en: 'The session has ended.' },
  endOthers: { de: 'Alle anderen beenden', en: 'End all others' },
  endOthersTitle: { de: 'Alle anderen Anmeldungen beenden?', en: 'End all other sessions?' },
  endOthersHint: {
    de: 'Auf allen anderen Geräten ist danach eine neue Anmeldung nötig. Diese hier bleibt.',
    en: 'All other devices have to sign in again. This session stays.',
  },
  othersEnded: { de: 'Alle anderen Anmeldungen sind beendet.', en: 'All other sessions have ended.' },
})
