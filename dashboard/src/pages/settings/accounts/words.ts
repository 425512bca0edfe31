/** UI texts of accounts and invitations. */
import { defineWords, filled, plural } from '../../../language/words.ts'

export const words = defineWords({
  lastSeen: { de: 'Zuletzt angemeldet:', en: 'Last signed in:' },
  ownAccount: { de: 'eigenes Konto', en: 'your account' },
  limitedToFolders: filled({ de: 'nur #', en: 'only #' }),
  moreOf: filled({ de: 'Mehr zu #', en: 'More about #' }),
  add: { de: 'Konto anlegen', en: 'Add an account' },
  addHint: {
    de: 'Wer in das Dashboard darf, und mit welchen Rechten.',
    en: 'Who may use the dashboard, and with which rights.',
  },
  added: filled({ de: 'Konto # ist angelegt.', en: 'Account # has been added.' }),

  role: { de: 'Rolle', en: 'Role' },
  onlyFolders: { de: 'Nur bestimmte Ordner', en: 'Only certain folders' },
  noFolder: { de: 'Noch kein Ordner gewählt.', en: 'No folder chosen yet.' },
  otherFolder: { de: 'Anderer Ordner, auch ein künftiger', en: 'Another folder, which need not exist yet' },
  addFolder: { de: 'Hinzufügen', en: 'Add' },
  removeFolder: filled({ de: '# entfernen', en: 'Remove #' }),
  folderMissing: { de: 'Bitte mindestens einen Ordner wählen.', en: 'Please choose at least one folder.' },
  changeRights: { de: 'Rolle und Ordner ändern', en: 'Change role and folders' },
  rightsOf: filled({ de: 'Rolle und Ordner von #', en: 'Role and folders of #' }),
  rightsChanged: filled({ de: 'Die Rechte von # sind geändert.', en: 'The rights of # have been changed.' }),
  setPassword: { de: 'Neues Passwort setzen', en: 'Set a new password' },
  passwordOf: filled({ de: 'Neues Passwort für #', en: 'New password for #' }),
  passwordSet: filled({ de: 'Das Passwort von # ist gesetzt.', en: 'The password of # has been set.' }),
  endsSessions: {
    de: 'Die Anmeldungen des Kontos enden damit.',
    en: 'This ends the sessions of the account.',
  },
  endsOwnSessions: {
    de: 'Das ist das eigene Konto: Diese Anmeldung endet damit.',
    en: 'This is your own account: this session ends.',
  },
  endSessions: { de: 'Anmeldungen beenden', en: 'End sessions' },
  endSessionsTitle: filled({ de: 'Anmeldungen von # beenden?', en: 'End the sessions of #?' }),
  endSessionsHint: {
    de: 'Auf allen Geräten dieses Kontos ist danach eine neue Anmeldung nötig.',
    en: 'All devices of this account have to sign in again.',
  },
  endOwnSessionsHint: {
    de: 'Das ist das eigene Konto: Auch diese Anmeldung endet sofort.',
    en: 'This is your own account: this session ends at once, too.',
  },
  sessionsEnded: filled({ de: 'Die Anmeldungen von # sind beendet.', en: 'The sessions of # have ended.' }),
  authenticator: { de: 'mit Authenticator-App', en: 'with authenticator app' },
  passkeys: plural({ de: ['# Passkey', '# Passkeys'], en: ['# passkey', '# passkeys'] }),
  resetFactor: { de: 'Zweiten Faktor entfernen', en: 'Remove the second factor' },
  resetFactorTitle: filled({ de: 'Zweiten Faktor von # entfernen?', en: 'Remove the second factor of #?' }),
  resetFactorHint: {
    de: 'Authenticator-App, Notfallcodes und Passkeys gelten danach nicht mehr, und die Anmeldungen enden. Zum Anmelden genügt das Passwort.',
    en: 'The authenticator app, emergency codes and passkeys no longer count, and the sessions end. The password alone signs in.',
  },
  resetOwnFactorHint: {
    de: 'Das ist das eigene Konto: Diese Anmeldung endet. Zum Anmelden genügt danach das Passwort.',
    en: 'This is your own account: this session ends. After that the password alone signs in.',
  },
  factorReset: filled({
    de: 'Der zweite Faktor von # ist entfernt.',
    en: 'The second factor of # has been removed.',
  }),
  lastOperator: {
    de: 'Das letzte Betreiberkonto kann weder gelöscht noch herabgestuft werden, sonst käme niemand mehr an die Einstellungen.',
    en: 'The last operator can be neither deleted nor lowered; otherwise nobody could reach the settings any more.',
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

  invite: { de: 'Einladen', en: 'Invite' },
  inviteHint: {
    de: 'Wer den Link öffnet, wählt Namen und Passwort und hat dann ein Konto mit diesen Rechten. Der Link gilt einmal.',
    en: 'Whoever opens the link chooses a name and a password and then has an account with these rights. The link works once.',
  },
  inviteAndCopy: { de: 'Link erstellen und kopieren', en: 'Create and copy the link' },
  validFor: { de: 'Gültig', en: 'Valid for' },
  days: plural({ de: ['# Tag', '# Tage'], en: ['# day', '# days'] }),
  invitationReady: { de: 'Einladung', en: 'Invitation' },
  copied: { de: 'Der Link ist kopiert.', en: 'The link has been copied.' },
  invitationHint: filled({
    de: 'Er gilt einmal, bis #, und wird nur jetzt gezeigt.',
    en: 'It works once, until #, and is shown only now.',
  }),
  copyLink: { de: 'Link kopieren', en: 'Copy the link' },
  invitations: { de: 'Offene Einladungen', en: 'Open invitations' },
  invitedBy: filled({ de: 'von #', en: 'by #' }),
  validUntil: filled({ de: 'gültig bis #', en: 'valid until #' }),
  withdrawTitle: { de: 'Einladung widerrufen?', en: 'Revoke the invitation?' },
  withdrawHint: {
    de: 'Der Link führt danach zu keinem Konto mehr.',
    en: 'The link no longer leads to an account.',
  },
  withdrawn: { de: 'Die Einladung ist widerrufen.', en: 'The invitation has been revoked.' },
})
