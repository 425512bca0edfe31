/**
 * The errors of each route, for the API document. Errors that follow from scope and input are added by
 * `failuresOf`. `test/acceptance/api-answers.test.ts` fails for an error that is not listed here.
 */
import { TICKETS_ROUTE } from '../../contract/upload/tickets.ts'
import { DASHBOARD_TUS_ROUTE, TUS_ROUTE } from '../../contract/upload/tus-wire.ts'
import type { ACCESS_WORDS } from '../../contract/words/api-document.ts'
import { dropFailures } from '../../errors/drops.ts'
import { failure } from '../../errors/errors.ts'
import { tokenLimitFailures } from '../../errors/upload.ts'
import type { ApiDescription } from '../../http/routes.ts'
import { DERIVED_ROUTES } from '../../storage/derived-parts.ts'

export type FailureName = keyof typeof failure
type Names = readonly FailureName[]

const ANY_REQUEST: Names = [
  ...(['requestMalformed', 'chunksBroken', 'requestSlow', 'headTooLarge'] as const),
  ...(['methodNotImplemented', 'versionUnknown', 'unexpected', 'starting'] as const),
  ...(['databaseBusy', 'databaseUnavailable', 'databaseUncertain', 'storageUnavailable'] as const),
]
const ANY_CHANGE: Names = ['storageFull', 'databaseFull', 'recordedTooLate', 'storageDamaged']

const OF_ACCESS: Readonly<Record<keyof typeof ACCESS_WORDS, Names>> = {
  open: ['routeUnknown'],
  visitor: [],
  token: ['tokenMissing', 'tokenExpired'],
  key: ['tokenMissing', 'tokenExpired'],
  ticket: ['ticketInvalid'],
  session: ['sessionMissing', 'roleForbidden', 'folderForbidden', 'factorRequired'],
}

const FORM: Names = ['formExpected', 'formBroken', 'formTooComplex', 'bodyEncoded', 'bodyCut']
const JSON_BODY: Names = ['inputInvalid', 'jsonBroken', 'jsonTooLarge', 'bodyCut']

const TOKEN_LIMITS = Object.keys(tokenLimitFailures) as (keyof typeof tokenLimitFailures)[]

const STORE_FAILURES: Names = [
  ...(['bodyEmpty', 'bodyCut', 'bodyEncoded', 'base64Broken', 'digestDiffers', 'pathInvalid'] as const),
  ...TOKEN_LIMITS,
  ...(['uploadTooLarge', 'pathTaken'] as const),
]
const UPLOAD: Names = [...STORE_FAILURES, 'fileFieldMissing', 'fileNameMissing', 'mimeInvalid']
const DROPPED: Names = [
  ...(Object.keys(dropFailures) as (keyof typeof dropFailures)[]),
  ...(['fileEmpty', 'tooManyFiles', 'uploadTooLarge', 'digestDiffers', 'base64Broken'] as const),
  ...(['fileFieldMissing', 'fileNameMissing', 'pathTaken', 'pathInvalid'] as const),
]
const COMPAT_FORM: Names = [...STORE_FAILURES, 'fileFieldMissing', 'fileNameMissing']
const REMOVED_BY_ID: Names = ['deleteForbidden', 'deleteOutsidePrefix', 'fileAbsent']
const CONTENT: Names = ['preconditionFailed', 'rangeUnsatisfiable', 'routeUnknown', 'storageDamaged']
const RESULT: Names = ['folderAbsent', 'resultChanged', 'resultTooLarge']
const FOLDER_MOVE: Names = ['folderAbsent', 'folderUnfit', 'foldersCollide', 'pathInvalid']
const PASSWORD: Names = ['loginsCrowded', 'loginLocked']

const TUS_ANY: Names = ['tusVersionUnknown', 'tusAbsent', 'tusExpired']
const TUS_PIECE: Names = [
  ...(['tusChecksumUnknown', 'tusChecksumDiffers', 'tusTooLong', 'tusLocked'] as const),
  ...(['bodyCut', 'bodyEncoded', 'digestDiffers', 'uploadTooLarge', 'pathTaken'] as const),
]
const TUS_NEXT: Names = [...TUS_ANY, ...TUS_PIECE, 'tusOffsetInvalid', 'tusOffsetDiffers', 'tusTypeUnfit']
const TUS_FIRST: Names = [
  ...TUS_ANY,
  ...TUS_PIECE,
  'tusLengthInvalid',
  'tusMetadataInvalid',
  'tusTooMany',
  'pathInvalid',
]

function tusRoutes(base: string, limits: Names): [string, Names][] {
  return [
    [`POST ${base}`, [...TUS_FIRST, ...limits]],
    [`GET ${base}/{id}`, TUS_ANY],
    [`PATCH ${base}/{id}`, [...TUS_NEXT, ...limits]],
    [`DELETE ${base}/{id}`, [...TUS_ANY, 'tusLocked']],
    [`POST ${base}/{id}`, [...TUS_NEXT, ...limits, 'methodUnknown']],
  ]
}

const OF_ROUTE = new Map<string, Names>([
  ['GET /f/{pfad}', [...CONTENT, 'fileAbsent']],
  ...DERIVED_ROUTES.map(({ route }): [string, Names] => [
    `GET ${route}{pfad}`,
    [...CONTENT, 'previewAbsent'],
  ]),
  [
    'GET /b/{groesse}/{pfad}',
    [
      ...CONTENT,
      ...(['fileAbsent', 'sizeUnknown', 'sizeAbsent', 'sizesCrowded', 'sizeNotReady'] as const),
      ...(['pictureDamaged', 'pictureUndecodable', 'pictureCostly'] as const),
    ],
  ],
  ['GET /s/{schluessel}', ['shareAbsent']],
  ['GET /s/{schluessel}/zip', ['shareAbsent', 'shareTooLarge', 'shareZipsCrowded']],
  ['GET /u/{schluessel}', ['dropAbsent']],
  ['POST /u/{schluessel}', [...DROPPED]],
  ['GET /status', ['statusDisturbed', 'statusImpaired']],
  ['POST /api/upload', UPLOAD],
  ['GET /api/dateien', ['readForbidden', 'readOutsidePrefix', 'folderAbsent']],
  ['POST /api/tickets', ['pathInvalid', 'prefixForbidden', 'ticketsTooMany']],
  ['POST /api/tickets/{schluessel}', UPLOAD],
  ['PUT /api/tickets/{schluessel}', UPLOAD],
  ...tusRoutes(TUS_ROUTE, [...TOKEN_LIMITS, 'mimeInvalid']),
  ...tusRoutes(`${TICKETS_ROUTE}/{schluessel}/tus`, [...TOKEN_LIMITS, 'mimeInvalid']),
  ...tusRoutes(DASHBOARD_TUS_ROUTE, ['folderForbidden']),
  ['GET /api/exists', ['pathMissing', 'pathInvalid']],
  ['GET /api/exists/{pfad}', ['pathMissing', 'pathInvalid']],
  ['DELETE /api/media/{pfad}', [...REMOVED_BY_ID, 'pathInvalid']],
  ...['/api/image', '/api/video', '/api/audio', '/api/v2/image', '/api/v2/video', '/api/v2/audio'].map(
    (path): [string, Names] => [`POST ${path}`, [...COMPAT_FORM, 'kindUnfit']],
  ),
  ['POST /api/v3/file', COMPAT_FORM],
  ['POST /api/v3/file/base64', [...STORE_FAILURES, 'base64Missing', 'jsonAroundTooLarge', ...JSON_BODY]],
  ...[
    '/api/v3/file/{id}',
    ...['image', 'video', 'audio'].flatMap(kind => [`/api/${kind}/{id}`, `/api/${kind}/delete/{id}`]),
  ].map((path): [string, Names] => [`DELETE ${path}`, REMOVED_BY_ID]),
  ['POST /api/dash/einrichtung', ['setupCodeWrong', 'setupDone', 'accountTaken', ...PASSWORD]],
  ['POST /api/dash/login', ['loginWrong', 'passkeyRequired', ...PASSWORD]],
  ['POST /api/dash/login/zweiter-faktor', ['loginStepOver', 'codeWrong', 'factorUnreadable', 'loginLocked']],
  ['POST /api/dash/login/passkey', ['passkeyRefused', 'passkeysImpossible']],
  ['POST /api/dash/login/passkey/optionen', ['passkeysImpossible']],
  ['POST /api/dash/totp', ['factorPresent']],
  ['POST /api/dash/totp/bestaetigen', ['newCodeWrong', 'factorNotBegun', 'factorUnreadable']],
  ['DELETE /api/dash/totp', ['factorAbsent', 'passwordWrong', ...PASSWORD]],
  ['POST /api/dash/passkeys/optionen', ['passkeysImpossible']],
  ['POST /api/dash/passkeys', ['passkeyUnusable', 'passkeysMany', 'passkeysImpossible']],
  ['PATCH /api/dash/passkeys/{id}', ['passkeyAbsent']],
  ['DELETE /api/dash/passkeys/{id}', ['passkeyAbsent']],
  ['POST /api/dash/passwort', ['passwordWrong', ...PASSWORD]],
  ['DELETE /api/dash/sitzungen/{id}', ['sessionAbsent']],
  ['POST /api/dash/einladung', ['invitationInvalid', 'accountTaken', 'firstAccount', ...PASSWORD]],
  ['POST /api/dash/einladungen', ['operatorLimited']],
  ['DELETE /api/dash/einladungen/{id}', ['invitationAbsent']],
  ['POST /api/dash/benutzer', ['accountTaken', 'operatorLimited', ...PASSWORD]],
  ['PATCH /api/dash/benutzer/{id}', ['accountAbsent', 'lastAccount', 'operatorLimited', ...PASSWORD]],
  ['DELETE /api/dash/benutzer/{id}', ['accountAbsent', 'lastAccount']],
  ['PATCH /api/dash/tokens/{id}', ['tokenAbsent']],
  ['DELETE /api/dash/tokens/{id}', ['tokenAbsent']],
  ['GET /api/dash/tokens/{id}/sharex', ['tokenAbsent']],
  ['PUT /api/dash/einstellungen', ['settingInvalid', 'settingUnknown']],
  ['POST /api/dash/einstellungen/import', ['settingInvalid', 'settingUnknown']],
  ['GET /api/dash/media', ['folderAbsent']],
  ['GET /api/dash/media/{pfad}', ['fileAbsent']],
  ['GET /api/dash/inhalt/{pfad}', [...CONTENT, 'fileAbsent']],
  ['GET /api/dash/vorschau/{pfad}', [...CONTENT, 'previewAbsent']],
  ['GET /api/dash/aufnahme/{pfad}', ['fileAbsent']],
  [
    'POST /api/dash/upload',
    [
      ...([
        'fileFieldMissing',
        'fileNameMissing',
        'inputInvalid',
        'digestDiffers',
        'pathListUnequal',
      ] as const),
      ...([
        'fileEmpty',
        'tooManyFiles',
        'uploadTooLarge',
        'zipBroken',
        'zipOverlapping',
        'zipTooLarge',
      ] as const),
      ...(['zipTooManyEntries', 'zipUnderstated', 'pathInvalid', 'base64Broken', 'jsonTooLarge'] as const),
    ],
  ],
  [
    'POST /api/dash/upload-url',
    [
      ...(['fetchAddressBroken', 'fetchScheme', 'fetchPort', 'fetchCredentials', 'fetchNetwork'] as const),
      ...(['sourceUnresolved', 'sourceUnreachable', 'sourceUntrusted', 'sourceMalformed'] as const),
      ...(['sourceStatus', 'sourceRedirects', 'sourceEncoded', 'sourceCut', 'sourceEmpty'] as const),
      ...(['sourcePage', 'sourceTooSlow', 'uploadTooLarge', 'pathTaken', 'pathInvalid'] as const),
      ...(['digestDiffers', 'fileAbsent'] as const),
    ],
  ],
  [
    'POST /api/dash/media/umbenennen',
    ['fileAbsent', 'pathTaken', 'pathInvalid', 'pathShared', 'alreadyThere'],
  ],
  ['POST /api/dash/media/verschieben', [...RESULT, 'pathInvalid', 'fileAbsent']],
  ['POST /api/dash/media/loeschen', [...RESULT, 'pathInvalid', 'fileAbsent']],
  [
    'POST /api/dash/media/ersetzen',
    [...RESULT, 'expressionInvalid', 'expressionTooSlow', 'tooManyHits', 'replaceConflicts', 'pathInvalid'],
  ],
  ['POST /api/dash/folders/umbenennen', FOLDER_MOVE],
  ['POST /api/dash/folders/verschieben', [...FOLDER_MOVE, 'folderIntoItself']],
  ['POST /api/dash/folders/loeschen', ['folderAbsent', 'pathInvalid']],
  ['GET /api/dash/herunterladen', ['folderAbsent', 'downloadTooLarge']],
  [
    'POST /api/dash/herunterladen',
    [...RESULT, 'fileAbsent', 'downloadTooLarge', 'inputInvalid', 'jsonTooLarge'],
  ],
  ['GET /api/dash/export', ['folderAbsent']],
  ['POST /api/dash/export', [...RESULT, 'fileAbsent', 'downloadTooLarge', 'inputInvalid', 'jsonTooLarge']],
  ['GET /api/dash/statistik', ['folderAbsent']],
  ['GET /api/dash/statistik/datei/{pfad}', ['fileAbsent']],
  ['GET /api/dash/verlauf/datei/{pfad}', ['fileAbsent']],
  ['POST /api/dash/verlauf/zuruecknehmen', ['actionAbsent', 'changedSince', 'pathTaken', 'foldersCollide']],
  ['POST /api/dash/fristen/ausfuehren', ['retentionRunning', 'clockDoubted']],
  ['GET /api/dash/fristen/datei/{pfad}', ['fileAbsent']],
  ['GET /api/dash/papierkorb/vorschau/{nr}', [...CONTENT, 'previewAbsent', 'trashEntryAbsent']],
  ['GET /api/dash/papierkorb/inhalt/{nr}', [...CONTENT, 'fileAbsent']],
  ['POST /api/dash/freigaben', ['folderAbsent', 'pathInvalid']],
  ['PATCH /api/dash/freigaben', ['shareAbsent']],
  ['DELETE /api/dash/freigaben', ['shareAbsent']],
  ['DELETE /api/dash/abgaben/{schluessel}', ['dropAbsent']],
  ['GET /api/dash/ereignisse', ['streamsCrowded']],
  ['GET /api/dash/sicherung/archiv/{name}', ['archiveAbsent', 'archiveDamaged', 'rangeUnsatisfiable']],
  ['GET /api/dash/sicherung/archiv/{name}/pruefsumme', ['archiveAbsent', 'archiveDamaged']],
  ['POST /api/dash/maintenance/doppelte', ['fileAbsent', 'resultChanged', 'resultTooLarge']],
  ['POST /api/dash/maintenance/verwaiste', ['sweepRunning', 'rowsLost']],
  ['POST /api/dash/webhook/test', ['webhookMissing', 'webhookUnsaved']],
])

/** The error codes of a route by status. `path`: as the document writes it. */
export function failuresOf(
  { method, api }: { method: string; api?: ApiDescription | undefined },
  path: string,
  access: keyof typeof ACCESS_WORDS,
): Map<number, string[]> {
  const isDashboard = access === 'session' || access === 'visitor'
  const names = [
    ...ANY_REQUEST,
    ...OF_ACCESS[access],
    ...(method === 'GET' ? [] : ANY_CHANGE),
    ...(method !== 'GET' && isDashboard ? (['crossSite'] as const) : []),
    ...(api?.query ? (['inputInvalid'] as const) : []),
    ...(api?.body ? JSON_BODY : []),
    ...(api?.forms && 'multipart/form-data' in api.forms ? FORM : []),
    ...(OF_ROUTE.get(`${method} ${path}`) ?? []),
  ]
  const codes = new Map<number, Set<string>>()
  for (const name of names) {
    const { status, code } = sample(name)
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  return new Map(
    [...codes].sort(([one], [other]) => one - other).map(([status, each]) => [status, [...each].sort()]),
  )
}

/** An error's status and code do not depend on its arguments. */
const sample = (name: FailureName) =>
  (failure[name] as (...given: unknown[]) => { status: number; code: string })([], [], [])
