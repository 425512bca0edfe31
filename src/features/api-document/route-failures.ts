/**
 * The errors that each route may answer with, for the API document. `failureCodesOf` adds the errors that
 * follow from the access, the method and the input of a route. `test/acceptance/api-answers.test.ts` calls
 * many routes, and fails for an error that is not listed here.
 */
import { TICKETS_ROUTE } from '../../contract/paths/addresses.ts'
import { DASHBOARD_TUS_ROUTE, TUS_ROUTE } from '../../contract/upload/tus-wire.ts'
import type { ACCESS_TEXTS } from '../../contract/words/api-document.ts'
import { dropFailures } from '../../errors/drops.ts'
import { failure } from '../../errors/errors.ts'
import { tokenLimitFailures } from '../../errors/upload.ts'
import type { ApiDescription } from '../../http/routes.ts'
import { DERIVED_ROUTES } from '../../storage/derived-parts.ts'

export type FailureName = keyof typeof failure
type FailureNames = readonly FailureName[]

const ANY_REQUEST_FAILURES: FailureNames = [
  ...(['requestMalformed', 'chunksBroken', 'requestSlow', 'headTooLarge'] as const),
  ...(['methodNotImplemented', 'versionUnknown', 'unexpected', 'starting'] as const),
  ...(['databaseBusy', 'databaseUnavailable', 'databaseUncertain', 'storageUnavailable'] as const),
]
const ANY_CHANGE_FAILURES: FailureNames = ['storageFull', 'databaseFull', 'recordedTooLate', 'storageDamaged']

const ACCESS_FAILURES: Readonly<Record<keyof typeof ACCESS_TEXTS, FailureNames>> = {
  open: ['routeUnknown'],
  visitor: [],
  token: ['tokenMissing', 'tokenExpired'],
  key: ['tokenMissing', 'tokenExpired'],
  ticket: ['ticketInvalid'],
  session: ['sessionMissing', 'roleForbidden', 'folderForbidden', 'factorRequired'],
}

const FORM_FAILURES: FailureNames = ['formExpected', 'formBroken', 'formTooComplex', 'bodyEncoded', 'bodyCut']
const JSON_BODY_FAILURES: FailureNames = ['inputInvalid', 'jsonBroken', 'jsonTooLarge', 'bodyCut']

const TOKEN_LIMIT_FAILURES = Object.keys(tokenLimitFailures) as (keyof typeof tokenLimitFailures)[]

const STORE_FAILURES: FailureNames = [
  ...(['bodyEmpty', 'bodyCut', 'bodyEncoded', 'base64Broken', 'digestDiffers', 'pathInvalid'] as const),
  ...TOKEN_LIMIT_FAILURES,
  ...(['uploadTooLarge', 'pathTaken'] as const),
]
const UPLOAD_FAILURES: FailureNames = [
  ...STORE_FAILURES,
  'fileFieldMissing',
  'fileNameMissing',
  'mimeInvalid',
]
const DROP_FAILURES: FailureNames = [
  ...(Object.keys(dropFailures) as (keyof typeof dropFailures)[]),
  ...(['fileEmpty', 'tooManyFiles', 'uploadTooLarge', 'digestDiffers', 'base64Broken'] as const),
  ...(['fileFieldMissing', 'fileNameMissing', 'pathTaken', 'pathInvalid'] as const),
]
const COMPAT_FORM_FAILURES: FailureNames = [...STORE_FAILURES, 'fileFieldMissing', 'fileNameMissing']
const DELETE_FAILURES: FailureNames = ['deleteForbidden', 'deleteOutsidePrefix', 'fileAbsent']
const CONTENT_FAILURES: FailureNames = [
  'preconditionFailed',
  'rangeUnsatisfiable',
  'routeUnknown',
  'storageDamaged',
]
const FILE_SELECTION_FAILURES: FailureNames = ['folderAbsent', 'resultChanged', 'resultTooLarge']
const FOLDER_MOVE_FAILURES: FailureNames = ['folderAbsent', 'folderUnfit', 'foldersCollide', 'pathInvalid']
const PASSWORD_FAILURES: FailureNames = ['loginsCrowded', 'loginLocked']
const PROVIDER_FAILURES: FailureNames = [
  ...(['providerAbsent', 'providerBroken', 'providerBusy', 'providerRefused'] as const),
  'providerUnreachable',
]
const EXTERNAL_RETURN_FAILURES: FailureNames = [
  ...PROVIDER_FAILURES,
  ...(['externalDenied', 'externalExpired', 'externalInvalid', 'externalUnmatched'] as const),
]

const TUS_COMMON_FAILURES: FailureNames = ['tusVersionUnknown', 'tusAbsent', 'tusExpired']
const TUS_CHUNK_FAILURES: FailureNames = [
  ...(['tusChecksumUnknown', 'tusChecksumDiffers', 'tusTooLong', 'tusLocked'] as const),
  ...(['bodyCut', 'bodyEncoded', 'digestDiffers', 'uploadTooLarge', 'pathTaken'] as const),
]
const TUS_APPEND_FAILURES: FailureNames = [
  ...TUS_COMMON_FAILURES,
  ...TUS_CHUNK_FAILURES,
  'tusOffsetInvalid',
  'tusOffsetDiffers',
  'tusTypeUnfit',
]
const TUS_CREATE_FAILURES: FailureNames = [
  ...TUS_COMMON_FAILURES,
  ...TUS_CHUNK_FAILURES,
  'tusLengthInvalid',
  'tusMetadataInvalid',
  'tusTooMany',
  'pathInvalid',
]

function tusRoutes(basePath: string, limitFailures: FailureNames): [string, FailureNames][] {
  return [
    [`POST ${basePath}`, [...TUS_CREATE_FAILURES, ...limitFailures]],
    [`GET ${basePath}/{id}`, TUS_COMMON_FAILURES],
    [`PATCH ${basePath}/{id}`, [...TUS_APPEND_FAILURES, ...limitFailures]],
    [`DELETE ${basePath}/{id}`, [...TUS_COMMON_FAILURES, 'tusLocked']],
    [`POST ${basePath}/{id}`, [...TUS_APPEND_FAILURES, ...limitFailures, 'methodUnknown']],
  ]
}

const ROUTE_FAILURES = new Map<string, FailureNames>([
  ['GET /f/{pfad}', [...CONTENT_FAILURES, 'fileAbsent']],
  ...DERIVED_ROUTES.map(({ route }): [string, FailureNames] => [
    `GET ${route}{pfad}`,
    [...CONTENT_FAILURES, 'previewAbsent'],
  ]),
  [
    'GET /b/{groesse}/{pfad}',
    [
      ...CONTENT_FAILURES,
      ...(['fileAbsent', 'sizeUnknown', 'sizeAbsent', 'sizesCrowded', 'sizeNotReady'] as const),
      ...(['pictureDamaged', 'pictureUndecodable', 'pictureCostly'] as const),
    ],
  ],
  ['GET /s/{schluessel}', ['shareAbsent']],
  ['GET /s/{schluessel}/zip', ['shareAbsent', 'shareTooLarge', 'shareZipsCrowded']],
  ['GET /u/{schluessel}', ['dropAbsent']],
  ['POST /u/{schluessel}', [...DROP_FAILURES]],
  ['GET /status', ['statusDisturbed', 'statusImpaired']],
  ['POST /api/upload', UPLOAD_FAILURES],
  ['GET /api/dateien', ['readForbidden', 'readOutsidePrefix', 'folderAbsent']],
  ['POST /api/tickets', ['pathInvalid', 'prefixForbidden', 'ticketsTooMany']],
  ['POST /api/tickets/{schluessel}', UPLOAD_FAILURES],
  ['PUT /api/tickets/{schluessel}', UPLOAD_FAILURES],
  ...tusRoutes(TUS_ROUTE, [...TOKEN_LIMIT_FAILURES, 'mimeInvalid']),
  ...tusRoutes(`${TICKETS_ROUTE}/{schluessel}/tus`, [...TOKEN_LIMIT_FAILURES, 'mimeInvalid']),
  ...tusRoutes(DASHBOARD_TUS_ROUTE, ['folderForbidden']),
  ['GET /api/exists', ['pathMissing', 'pathInvalid']],
  ['GET /api/exists/{pfad}', ['pathMissing', 'pathInvalid']],
  ['DELETE /api/media/{pfad}', [...DELETE_FAILURES, 'pathInvalid']],
  ...['/api/image', '/api/video', '/api/audio', '/api/v2/image', '/api/v2/video', '/api/v2/audio'].map(
    (path): [string, FailureNames] => [`POST ${path}`, [...COMPAT_FORM_FAILURES, 'kindUnfit']],
  ),
  ['POST /api/v3/file', COMPAT_FORM_FAILURES],
  [
    'POST /api/v3/file/base64',
    [...STORE_FAILURES, 'base64Missing', 'jsonAroundTooLarge', ...JSON_BODY_FAILURES],
  ],
  ...[
    '/api/v3/file/{id}',
    ...['image', 'video', 'audio'].flatMap(kind => [`/api/${kind}/{id}`, `/api/${kind}/delete/{id}`]),
  ].map((path): [string, FailureNames] => [`DELETE ${path}`, DELETE_FAILURES]),
  ['POST /api/dash/einrichtung', ['setupCodeWrong', 'setupDone', 'accountTaken', ...PASSWORD_FAILURES]],
  ['POST /api/dash/login', ['loginWrong', 'passkeyRequired', ...PASSWORD_FAILURES]],
  ['POST /api/dash/login/zweiter-faktor', ['loginStepOver', 'codeWrong', 'factorUnreadable', 'loginLocked']],
  ['POST /api/dash/login/passkey', ['passkeyRefused', 'passkeysImpossible']],
  ['POST /api/dash/login/passkey/optionen', ['passkeysImpossible']],
  ['GET /api/dash/login/extern/{anbieter}', PROVIDER_FAILURES],
  ['GET /api/dash/login/extern/{anbieter}/zurueck', EXTERNAL_RETURN_FAILURES],
  ['POST /api/dash/login/extern/{anbieter}/probe', EXTERNAL_RETURN_FAILURES],
  ['POST /api/dash/totp', ['factorPresent', 'accountExternal']],
  ['POST /api/dash/totp/bestaetigen', ['newCodeWrong', 'factorNotBegun', 'factorUnreadable']],
  ['DELETE /api/dash/totp', ['factorAbsent', 'passwordWrong', ...PASSWORD_FAILURES]],
  ['POST /api/dash/passkeys/optionen', ['passkeysImpossible', 'accountExternal']],
  ['POST /api/dash/passkeys', ['passkeyUnusable', 'passkeysMany', 'passkeysImpossible']],
  ['PATCH /api/dash/passkeys/{id}', ['passkeyAbsent']],
  ['DELETE /api/dash/passkeys/{id}', ['passkeyAbsent']],
  ['POST /api/dash/passwort', ['passwordWrong', 'accountExternal', ...PASSWORD_FAILURES]],
  ['DELETE /api/dash/sitzungen/{id}', ['sessionAbsent']],
  ['POST /api/dash/einladung', ['invitationInvalid', 'accountTaken', 'firstAccount', ...PASSWORD_FAILURES]],
  ['POST /api/dash/einladungen', ['operatorLimited']],
  ['DELETE /api/dash/einladungen/{id}', ['invitationAbsent']],
  ['POST /api/dash/benutzer', ['accountTaken', 'operatorLimited']],
  ['PATCH /api/dash/benutzer/{id}', ['accountAbsent', 'accountExternal', 'lastAccount', 'operatorLimited']],
  ['DELETE /api/dash/benutzer/{id}', ['accountAbsent', 'lastAccount']],
  ['PATCH /api/dash/tokens/{id}', ['tokenAbsent']],
  ['DELETE /api/dash/tokens/{id}', ['tokenAbsent']],
  ['GET /api/dash/tokens/{id}/sharex', ['tokenAbsent']],
  ['PUT /api/dash/einstellungen', ['settingInvalid', 'settingUnknown']],
  ['POST /api/dash/einstellungen/import', ['settingInvalid', 'settingUnknown']],
  ['GET /api/dash/media', ['folderAbsent']],
  ['GET /api/dash/media/{pfad}', ['fileAbsent']],
  ['GET /api/dash/inhalt/{pfad}', [...CONTENT_FAILURES, 'fileAbsent']],
  ['GET /api/dash/vorschau/{pfad}', [...CONTENT_FAILURES, 'previewAbsent']],
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
  ['POST /api/dash/media/verschieben', [...FILE_SELECTION_FAILURES, 'pathInvalid', 'fileAbsent']],
  ['POST /api/dash/media/loeschen', [...FILE_SELECTION_FAILURES, 'pathInvalid', 'fileAbsent']],
  [
    'POST /api/dash/media/ersetzen',
    [
      ...FILE_SELECTION_FAILURES,
      'expressionInvalid',
      'expressionTooSlow',
      'tooManyHits',
      'replaceConflicts',
      'pathInvalid',
    ],
  ],
  ['POST /api/dash/folders/umbenennen', FOLDER_MOVE_FAILURES],
  ['POST /api/dash/folders/verschieben', [...FOLDER_MOVE_FAILURES, 'folderIntoItself']],
  ['POST /api/dash/folders/loeschen', ['folderAbsent', 'pathInvalid']],
  ['GET /api/dash/herunterladen', ['folderAbsent', 'downloadTooLarge']],
  [
    'POST /api/dash/herunterladen',
    [...FILE_SELECTION_FAILURES, 'fileAbsent', 'downloadTooLarge', 'inputInvalid', 'jsonTooLarge'],
  ],
  ['GET /api/dash/export', ['folderAbsent']],
  [
    'POST /api/dash/export',
    [...FILE_SELECTION_FAILURES, 'fileAbsent', 'downloadTooLarge', 'inputInvalid', 'jsonTooLarge'],
  ],
  ['GET /api/dash/statistik', ['folderAbsent']],
  ['GET /api/dash/statistik/datei/{pfad}', ['fileAbsent']],
  ['GET /api/dash/verlauf/datei/{pfad}', ['fileAbsent']],
  ['POST /api/dash/verlauf/zuruecknehmen', ['actionAbsent', 'changedSince', 'pathTaken', 'foldersCollide']],
  ['POST /api/dash/fristen/ausfuehren', ['retentionRunning', 'clockDoubted']],
  ['GET /api/dash/fristen/datei/{pfad}', ['fileAbsent']],
  ['GET /api/dash/papierkorb/vorschau/{nr}', [...CONTENT_FAILURES, 'previewAbsent', 'trashEntryAbsent']],
  ['GET /api/dash/papierkorb/inhalt/{nr}', [...CONTENT_FAILURES, 'fileAbsent']],
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

/** The error codes of a route, by HTTP status. `path`: in the notation of OpenAPI, such as `/f/{pfad}`. */
export function failureCodesOf(
  { method, api }: { method: string; api?: ApiDescription | undefined },
  path: string,
  access: keyof typeof ACCESS_TEXTS,
): Map<number, string[]> {
  const isDashboard = access === 'session' || access === 'visitor'
  const names = [
    ...ANY_REQUEST_FAILURES,
    ...ACCESS_FAILURES[access],
    ...(method === 'GET' ? [] : ANY_CHANGE_FAILURES),
    ...(method !== 'GET' && isDashboard ? (['crossSite'] as const) : []),
    ...(api?.query ? (['inputInvalid'] as const) : []),
    ...(api?.body ? JSON_BODY_FAILURES : []),
    ...(api?.forms && 'multipart/form-data' in api.forms ? FORM_FAILURES : []),
    ...(ROUTE_FAILURES.get(`${method} ${path}`) ?? []),
  ]
  const codes = new Map<number, Set<string>>()
  for (const name of names) {
    const { status, code } = sampleFailure(name)
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  return new Map(
    [...codes]
      .sort(([a], [b]) => a - b)
      .map(([status, codesOfStatus]) => [status, [...codesOfStatus].sort()]),
  )
}

/** Creates an error of this name as a sample: its status and code do not depend on the arguments. */
const sampleFailure = (name: FailureName) =>
  (failure[name] as (...args: unknown[]) => { status: number; code: string })([], [], [])
