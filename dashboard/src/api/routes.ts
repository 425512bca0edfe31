/**
 * The routes that the dashboard calls through `client.ts`, most of them typed by the schemas of the server.
 * Paths are relative to `/api/dash/`. This file contains only types, so it adds nothing to the build.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { z } from 'zod'
import type * as administration from '../../../src/contract/accounts/administration.ts'
import type * as bookmarks from '../../../src/contract/accounts/bookmarks.ts'
import type * as external from '../../../src/contract/accounts/external.ts'
import type * as factors from '../../../src/contract/accounts/factors.ts'
import type * as invitations from '../../../src/contract/accounts/invitations.ts'
import type * as ownSessions from '../../../src/contract/accounts/own-sessions.ts'
import type * as session from '../../../src/contract/accounts/session.ts'
import type * as tokens from '../../../src/contract/accounts/tokens.ts'
import type * as drops from '../../../src/contract/files/drops.ts'
import type * as duplicates from '../../../src/contract/files/duplicates.ts'
import type * as history from '../../../src/contract/files/history.ts'
import type * as library from '../../../src/contract/files/library.ts'
import type * as overview from '../../../src/contract/files/overview.ts'
import type * as retention from '../../../src/contract/files/retention.ts'
import type * as shares from '../../../src/contract/files/shares.ts'
import type * as statistics from '../../../src/contract/files/statistics.ts'
import type * as trash from '../../../src/contract/files/trash.ts'
import type * as backup from '../../../src/contract/service/backup.ts'
import type * as maintenance from '../../../src/contract/service/maintenance.ts'
import type { SecretSettingName } from '../../../src/contract/service/secret-settings.ts'
import type { SettingName, SettingValues } from '../../../src/contract/service/settings.ts'
import type * as settings from '../../../src/contract/service/settings-wire.ts'
import type * as webhook from '../../../src/contract/service/webhook.ts'
import type * as ingest from '../../../src/contract/upload/ingest.ts'
import type * as sharex from '../../../src/contract/upload/sharex.ts'
import type * as tus from '../../../src/contract/upload/tus.ts'

export interface RouteShape {
  query?: unknown
  body?: unknown
  answer: unknown
}

type Answer<Schema extends z.ZodType> = { answer: z.output<Schema> }
type Body<Schema extends z.ZodType> = { body: z.input<Schema> }
/** The values of a query are sent as text; callers may also pass numbers. */
type Query<Schema extends z.ZodType> = {
  query: { [K in keyof z.input<Schema>]?: z.input<Schema>[K] | number | undefined }
}

/**
 * The contract creates the schema of the settings in a loop, so the type inferred from that schema does not
 * have the type of each setting. This type is used instead.
 */
export type SettingsAnswer = {
  [Name in Exclude<SettingName, SecretSettingName>]: {
    wert: SettingValues[Name]
    quelle: settings.SettingSource
    warnung?: settings.SettingWarningOnWire
  }
} & { [Name in SecretSettingName]: { quelle: settings.SettingSource; geheim: true; gesetzt: boolean } }
/** Omitted settings do not change. Null resets a setting to the value from the environment or the default. */
export type SettingsInput = { [Name in SettingName]?: SettingValues[Name] | string | null }

export interface GetRoutes {
  einrichtung: Answer<typeof session.setupAnswer>
  ich: Answer<typeof session.sessionAnswer>
  benutzer: { answer: session.AccountAnswer[] }
  sitzungen: Answer<typeof ownSessions.ownSessionsAnswer>
  passkeys: { answer: factors.PasskeyAnswer[] }
  einladungen: Answer<typeof invitations.invitationsAnswer>
  media: Query<typeof library.libraryQuery> & Answer<typeof library.libraryAnswer>
  [path: `media/${string}`]: Answer<typeof library.fileAnswer>
  folders: Answer<typeof library.folderTreeAnswer>
  merkzettel: Answer<typeof bookmarks.bookmarksAnswer>
  tus: Answer<typeof tus.unfinishedUploads>
  [path: `aufnahme/${string}`]: Answer<typeof library.captureDetailsAnswer>
  uebersicht: Answer<typeof overview.overviewAnswer>
  statistik: Query<typeof statistics.statisticsQuery> & Answer<typeof statistics.statisticsAnswer>
  [path: `statistik/datei/${string}`]: Answer<typeof statistics.fileStatisticsAnswer>
  papierkorb: Query<typeof trash.trashQuery> & Answer<typeof trash.trashAnswer>
  fristen: Answer<typeof retention.retentionAnswer>
  'fristen/termine': Answer<typeof retention.retentionDatesAnswer>
  [path: `fristen/datei/${string}`]: Answer<typeof retention.fileRetentionAnswer>
  freigaben: { answer: shares.ShareOnWire[] }
  abgaben: { answer: drops.DropOnWire[] }
  tokens: { answer: tokens.TokenOnWire[] }
  [path: `tokens/${string}/sharex`]: Answer<typeof sharex.shareXAnswer>
  verlauf: Query<typeof history.historyQuery> & Answer<typeof history.historyAnswer>
  [path: `verlauf/datei/${string}`]: Answer<typeof history.fileHistoryAnswer>
  verwaltung: Query<typeof administration.administrationQuery> &
    Answer<typeof administration.administrationAnswer>
  einstellungen: { answer: SettingsAnswer }
  sicherung: Answer<typeof backup.backupState>
  [path: `sicherung/archiv/${string}/pruefsumme`]: Answer<typeof backup.archiveChecksumAnswer>
  'maintenance/integritaet': Answer<typeof maintenance.integrityAnswer>
  'maintenance/doppelte': Query<typeof duplicates.duplicatesQuery> &
    Answer<typeof duplicates.duplicatesAnswer>
}

export interface PostRoutes {
  einrichtung: Body<typeof session.setupInput> & Answer<typeof session.signedInAnswer>
  [path: `login/extern/${string}/probe`]: Body<typeof external.signInTrialInput> &
    Answer<typeof external.signInTrialAnswer>
  login: Body<typeof session.loginInput> & {
    answer: z.output<typeof session.signedInAnswer> | z.output<typeof factors.secondStepAnswer>
  }
  'login/zweiter-faktor': Body<typeof factors.secondStepInput> & Answer<typeof session.signedInAnswer>
  'login/passkey/optionen': { answer: PublicKeyCredentialRequestOptionsJSON }
  'login/passkey': { body: { antwort: AuthenticationResponseJSON } } & Answer<typeof session.signedInAnswer>
  totp: Answer<typeof factors.totpAnswer>
  'totp/bestaetigen': Body<typeof factors.codeInput> & Answer<typeof factors.emergencyCodesAnswer>
  'passkeys/optionen': { answer: PublicKeyCredentialCreationOptionsJSON }
  passkeys: { body: { name: string; antwort: RegistrationResponseJSON } } & Answer<
    typeof factors.passkeyAnswer
  >
  logout: Answer<typeof session.doneAnswer>
  passwort: Body<typeof session.passwordInput> & Answer<typeof session.doneAnswer>
  benutzer: Body<typeof session.newAccountInput> & Answer<typeof session.accountAnswer>
  einladungen: Body<typeof invitations.invitationInput> & Answer<typeof invitations.createdInvitationAnswer>
  einladung: Body<typeof invitations.acceptInvitationInput> & Answer<typeof session.signedInAnswer>
  'upload-url': Body<typeof ingest.fetchInput> & Answer<typeof library.fileAnswer>
  'media/umbenennen': Body<typeof library.renameFileInput> & Answer<typeof library.renameFileAnswer>
  'media/vorhanden': Body<typeof library.existingPathsInput> & Answer<typeof library.existingPathsAnswer>
  'media/verschieben': Body<typeof library.moveFilesInput> & Answer<typeof library.moveFilesAnswer>
  'media/loeschen': Body<typeof library.deleteFilesInput> & Answer<typeof library.deleteFilesAnswer>
  'media/ersetzen': Body<typeof library.replaceInput> & Answer<typeof library.replaceAnswer>
  'verlauf/zuruecknehmen': Body<typeof library.undoInput> & Answer<typeof library.undoAnswer>
  'folders/umbenennen': Body<typeof library.renameFolderInput> & Answer<typeof library.folderAnswer>
  'folders/verschieben': Body<typeof library.moveFolderInput> & Answer<typeof library.folderAnswer>
  'folders/loeschen': Body<typeof library.deleteFolderInput> & Answer<typeof library.deleteFolderAnswer>
  fehlende: Body<typeof library.missingNamesInput> & Answer<typeof library.missingNamesAnswer>
  'papierkorb/wiederherstellen': Body<typeof trash.restoreInput> & Answer<typeof trash.restoreAnswer>
  'papierkorb/leeren': Body<typeof trash.emptyTrashInput> & Answer<typeof trash.emptyTrashAnswer>
  'fristen/probe': Body<typeof retention.retentionInput> & Answer<typeof retention.retentionTrialAnswer>
  'fristen/ausfuehren': Answer<typeof retention.retentionRunAnswer>
  abgaben: Body<typeof drops.dropInput> & Answer<typeof drops.dropAnswer>
  freigaben: Body<typeof shares.shareInput> & Answer<typeof shares.shareAnswer>
  tokens: Body<typeof tokens.newToken> & Answer<typeof tokens.createdTokenAnswer>
  'einstellungen/import': { body: Record<string, unknown> } & Answer<typeof settings.settingsImportAnswer>
  'webhook/test': Body<typeof webhook.webhookTestInput> & Answer<typeof webhook.webhookTestAnswer>
  /**
   * Starts a backup. The answer arrives at once; only with `?warten=1`, which the dashboard does not use, it
   * arrives when the backup has ended.
   */
  sicherung: Answer<typeof backup.backupState>
  [path: `sicherung/archiv/${string}/pruefsumme`]: Answer<typeof backup.archiveChecksumAnswer>
  'maintenance/doppelte': Body<typeof duplicates.removeDuplicatesInput> &
    Answer<typeof duplicates.removeDuplicatesAnswer>
  'maintenance/thumbs': Answer<typeof maintenance.maintenanceRoundAnswer>
  'maintenance/webp': Answer<typeof maintenance.maintenanceRoundAnswer>
  'maintenance/verwaiste': Body<typeof maintenance.orphansInput> & Answer<typeof maintenance.orphansAnswer>
  'maintenance/integritaet': Answer<typeof maintenance.integrityAnswer>
}

export interface PutRoutes {
  einstellungen: { body: SettingsInput; answer: SettingsAnswer }
  merkzettel: Body<typeof bookmarks.bookmarksInput> & Answer<typeof bookmarks.bookmarksAnswer>
  fristen: Body<typeof retention.retentionInput> & Answer<typeof retention.retentionAnswer>
}

export interface PatchRoutes {
  [path: `benutzer/${string}`]: Body<typeof session.accountPatch> & Answer<typeof session.accountAnswer>
  [path: `tokens/${string}`]: Body<typeof tokens.tokenPatch> & Answer<typeof tokens.tokenAnswer>
  [path: `passkeys/${string}`]: Body<typeof factors.passkeyRenameInput> & Answer<typeof session.doneAnswer>
  freigaben: Query<typeof shares.shareQuery> &
    Body<typeof shares.shareChangeInput> &
    Answer<typeof shares.shareAnswer>
}

export interface DeleteRoutes {
  [path: `tokens/${string}`]: Answer<typeof session.doneAnswer>
  [path: `benutzer/${string}`]: Answer<typeof session.doneAnswer>
  sitzungen: Answer<typeof session.doneAnswer>
  [path: `sitzungen/${string}`]: Answer<typeof session.doneAnswer>
  totp: Body<typeof factors.removeTotpInput> & Answer<typeof session.doneAnswer>
  [path: `passkeys/${string}`]: Answer<typeof session.doneAnswer>
  [path: `einladungen/${string}`]: Answer<typeof session.doneAnswer>
  [path: `abgaben/${string}`]: Answer<typeof session.doneAnswer>
  freigaben: Query<typeof shares.shareQuery> & Answer<typeof session.doneAnswer>
}
