/** UI texts of the frame. */
import { defineWords, filled } from '../language/words.ts'

export const words = defineWords({
  topTools: { de: 'Hochladen, Zustand und Konto', en: 'Upload, status and account' },
  mainPages: { de: 'Bereiche', en: 'Sections' },
  collapse: { de: 'Einklappen', en: 'Collapse' },
  expand: { de: 'Ausklappen', en: 'Expand' },
  skip: { de: 'Zum Inhalt', en: 'Skip to content' },
  search: { de: 'Dateien suchen', en: 'Search files' },
  searchHint: { de: 'Name oder Pfad', en: 'Name or path' },
  clearSearch: { de: 'Suche leeren', en: 'Clear the search' },
  account: { de: 'Konto', en: 'Account' },
  signedInAs: filled({ de: 'Angemeldet als #', en: 'Signed in as #' }),
  language: { de: 'Sprache', en: 'Language' },
  scheme: { de: 'Darstellung', en: 'Appearance' },
  light: { de: 'Hell', en: 'Light' },
  dark: { de: 'Dunkel', en: 'Dark' },
  system: { de: 'Wie das System', en: 'Same as system' },
  keyboard: { de: 'Tastatur', en: 'Keyboard' },
  keyboardSheet: { de: 'Tasten', en: 'Keys' },
  logOut: { de: 'Abmelden', en: 'Sign out' },
  undo: { de: 'Letztes rückgängig machen', en: 'Undo the last step' },
  connectionLost: {
    de: 'Keine Verbindung zum Dienst. Es wird weiter versucht …',
    en: 'No connection to the service. Still trying …',
  },
  filesHostSilent: filled({
    de: 'Bilder und Vorschauen kommen von # (FILES_HOST). Dieser Host ist von hier aus nicht erreichbar.',
    en: 'Pictures and previews come from # (FILES_HOST). That host cannot be reached from here.',
  }),
  notAllowed: {
    de: 'Diese Seite ist für dieses Konto nicht da',
    en: 'This page is not available to this account',
  },
  notAllowedHint: {
    de: 'Das Konto hat nicht die Rolle, die dafür nötig ist. Ein Betreiber kann sie geben.',
    en: 'The account does not have the role that this needs. An operator can grant it.',
  },
  notFound: { de: 'Diese Seite gibt es nicht', en: 'This page does not exist' },
  notFoundHint: { de: 'Vielleicht wurde die Adresse vertippt.', en: 'The address may have been mistyped.' },
})
