/**
 * Who may do what: every route of the API document is called by every kind of caller, and must return the
 * status that specification and contract promise. A new route needs a row here. `sess` is an operator, `edit`
 * and `view` are the lower roles without a limit; `roles.test.ts` covers those limited to folders.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectError, type HeaderMap } from '../support/api.ts'
import { openChat } from '../support/chat.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { oidcEnv, openOidc } from '../support/oidc.ts'
import { bodyOf, type RouteRequest, routeRequests, sendRequest } from '../support/route-requests.ts'
import { sharedServiceWithAdmin, type TokenLimits } from '../support/token-admin.ts'

const TABLE = `
                                                    none full expd wdrn pref ndel nrea size quot kind bare ?key sess edit view ends gone othr
GET    /api/docs                                     200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /api/openapi.json                             200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /b/{groesse}/{pfad}                           200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /f/{pfad}                                     200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /health                                       200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /llms.txt                                     200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /metrics                                      404  404  404  404  404  404  404  404  404  404  404  404  404  404  404  404  404  404
GET    /s/{schluessel}                               200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /s/{schluessel}/zip                           200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /status                                       200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /t/{pfad}                                     200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /u/{schluessel}                               200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
POST   /u/{schluessel}                               200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
GET    /api/dateien                                  401  200  401  401  200  200  403  200  200  200  401  401  401  401  401  401  401  401
GET    /api/exists                                   401  200  401  401  200  200  200  200  200  200  401  401  401  401  401  401  401  401
GET    /api/exists/{pfad}                            401  200  401  401  200  200  200  200  200  200  401  401  401  401  401  401  401  401
DELETE /api/media/{pfad}                             401  200  401  401  403  403  200  200  200  200  401  401  401  401  401  401  401  401
POST   /api/tus                                      401  201  401  401  403  201  201  413  413  403  401  401  401  401  401  401  401  401
DELETE /api/tus/{id}                                 401  204  401  401  404  404  404  404  404  404  401  401  401  401  401  401  401  401
GET    /api/tus/{id}                                 401  200  401  401  404  404  404  404  404  404  401  401  401  401  401  401  401  401
PATCH  /api/tus/{id}                                 401  204  401  401  404  404  404  404  404  404  401  401  401  401  401  401  401  401
POST   /api/tus/{id}                                 401  204  401  401  404  404  404  404  404  404  401  401  401  401  401  401  401  401
POST   /api/tickets                                  401  200  401  401  200  200  200  200  200  200  401  401  401  401  401  401  401  401
POST   /api/tickets/{schluessel}                     200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
PUT    /api/tickets/{schluessel}                     200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
POST   /api/tickets/{schluessel}/tus                 201  201  201  201  201  201  201  201  201  201  201  201  201  201  201  201  201  201
DELETE /api/tickets/{schluessel}/tus/{id}            204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204
GET    /api/tickets/{schluessel}/tus/{id}            200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
PATCH  /api/tickets/{schluessel}/tus/{id}            204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204
POST   /api/tickets/{schluessel}/tus/{id}            204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204  204
POST   /api/upload                                   401  200  401  401  403  200  200  413  413  403  401  401  401  401  401  401  401  401
POST   /api/audio                                    401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
DELETE /api/audio/delete/{id}                        401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
DELETE /api/audio/{id}                               401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
POST   /api/image                                    401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
DELETE /api/image/delete/{id}                        401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
DELETE /api/image/{id}                               401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
POST   /api/v2/audio                                 401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
POST   /api/v2/image                                 401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
POST   /api/v2/video                                 401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
POST   /api/v3/file                                  401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
POST   /api/v3/file/base64                           401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
DELETE /api/v3/file/{id}                             401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
POST   /api/video                                    401  200  401  401  200  200  200  413  413  403  200  200  401  401  401  401  401  401
DELETE /api/video/delete/{id}                        401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
DELETE /api/video/{id}                               401  200  401  401  403  403  200  200  200  200  200  200  401  401  401  401  401  401
GET    /api/dash/login/extern/{anbieter}             303  303  303  303  303  303  303  303  303  303  303  400  303  303  303  303  303  303
GET    /api/dash/login/extern/{anbieter}/zurueck     400  400  400  400  400  400  400  400  400  400  400  400  400  400  400  400  400  400
GET    /api/dash/einrichtung                         200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200
POST   /api/dash/einrichtung                         409  409  409  409  409  409  409  409  409  409  409  409  409  409  409  409  409  403
POST   /api/dash/login                               200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  403
POST   /api/dash/login/passkey                       200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  403
POST   /api/dash/login/passkey/optionen              200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  403
POST   /api/dash/login/zweiter-faktor                200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  403
POST   /api/dash/login/extern/{anbieter}/probe       401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
DELETE /api/dash/abgaben/{schluessel}                401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/abgaben                             401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
POST   /api/dash/abgaben                             401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/aufnahme/{pfad}                     401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/benutzer                            401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/benutzer                            401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
DELETE /api/dash/benutzer/{id}                       401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
PATCH  /api/dash/benutzer/{id}                       401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
POST   /api/dash/einladung                           200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  200  403
GET    /api/dash/einladungen                         401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/einladungen                         401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
DELETE /api/dash/einladungen/{id}                    401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/einstellungen                       401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
PUT    /api/dash/einstellungen                       401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/einstellungen/export                401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/einstellungen/import                401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/ereignisse                          401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/export                              401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/export                              401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
POST   /api/dash/fehlende                            401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/folders                             401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/folders/loeschen                    401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/folders/umbenennen                  401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/folders/verschieben                 401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
DELETE /api/dash/freigaben                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/freigaben                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
PATCH  /api/dash/freigaben                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/freigaben                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/fristen                             401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
PUT    /api/dash/fristen                             401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
POST   /api/dash/fristen/ausfuehren                  401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/fristen/datei/{pfad}                401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
POST   /api/dash/fristen/probe                       401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/fristen/termine                     401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
GET    /api/dash/herunterladen                       401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/herunterladen                       401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/ich                                 401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/inhalt/{pfad}                       401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/logout                              401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/maintenance/doppelte                401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/maintenance/doppelte                401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/maintenance/integritaet             401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/maintenance/integritaet             401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
POST   /api/dash/maintenance/thumbs                  401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
POST   /api/dash/maintenance/verwaiste               401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
POST   /api/dash/maintenance/webp                    401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/media                               401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/media/ersetzen                      401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/media/loeschen                      401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/media/umbenennen                    401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/media/verschieben                   401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/media/vorhanden                     401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/media/{pfad}                        401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/papierkorb                          401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
GET    /api/dash/papierkorb/inhalt/{nr}              401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
POST   /api/dash/papierkorb/leeren                   401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/papierkorb/vorschau/{nr}            401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
POST   /api/dash/papierkorb/wiederherstellen         401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/passkeys                            401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/passkeys                            401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
POST   /api/dash/passkeys/optionen                   401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
DELETE /api/dash/passkeys/{id}                       401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
PATCH  /api/dash/passkeys/{id}                       401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/merkzettel                          401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
PUT    /api/dash/merkzettel                          401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
POST   /api/dash/passwort                            401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/sicherung                           401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/sicherung                           401  401  401  401  401  401  401  401  401  401  401  401  202  403  403  401  401  403
GET    /api/dash/sicherung/archiv/{name}             401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
GET    /api/dash/sicherung/archiv/{name}/pruefsumme  401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
DELETE /api/dash/sitzungen                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/sitzungen                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
DELETE /api/dash/sitzungen/{id}                      401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/statistik                           401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/statistik/datei/{pfad}              401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/tokens                              401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
POST   /api/dash/tokens                              401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
DELETE /api/dash/tokens/{id}                         401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
PATCH  /api/dash/tokens/{id}                         401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
GET    /api/dash/tokens/{id}/sharex                  401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
DELETE /api/dash/totp                                401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
POST   /api/dash/totp                                401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
POST   /api/dash/totp/bestaetigen                    401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  403
GET    /api/dash/tus                                 401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
POST   /api/dash/tus                                 401  401  401  401  401  401  401  401  401  401  401  401  201  201  403  401  401  403
DELETE /api/dash/tus/{id}                            401  401  401  401  401  401  401  401  401  401  401  401  204  404  403  401  401  403
GET    /api/dash/tus/{id}                            401  401  401  401  401  401  401  401  401  401  401  401  200  404  403  401  401  200
PATCH  /api/dash/tus/{id}                            401  401  401  401  401  401  401  401  401  401  401  401  204  404  403  401  401  403
POST   /api/dash/tus/{id}                            401  401  401  401  401  401  401  401  401  401  401  401  204  404  403  401  401  403
GET    /api/dash/uebersicht                          401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/upload                              401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
POST   /api/dash/upload-url                          401  401  401  401  401  401  401  401  401  401  401  401  400  400  403  401  401  403
GET    /api/dash/verlauf                             401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
GET    /api/dash/verlauf/datei/{pfad}                401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
GET    /api/dash/verlauf/export                      401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  200
POST   /api/dash/verlauf/zuruecknehmen               401  401  401  401  401  401  401  401  401  401  401  401  200  200  403  401  401  403
GET    /api/dash/verwaltung                          401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  200
GET    /api/dash/vorschau/{pfad}                     401  401  401  401  401  401  401  401  401  401  401  401  200  200  200  401  401  200
POST   /api/dash/webhook/test                        401  401  401  401  401  401  401  401  401  401  401  401  200  403  403  401  401  403
`

/** Tokens that may delete, each with one more difference: a column for each right and limit of a token. */
const TOKENS: Readonly<Record<string, TokenLimits>> = {
  full: {},
  expd: { gueltig_bis: Date.parse('2020-06-15') },
  wdrn: {},
  pref: { praefix: 'elsewhere' },
  ndel: { darf_loeschen: false },
  nrea: { darf_lesen: false },
  size: { max_datei: 1 },
  quot: { kontingent: 1 },
  kind: { arten: ['dokumente'] },
}
/** Fields of a token that refuse nothing. */
const HARMLESS = ['name', 'max_kante', 'exif_entfernen', 'ueberschriebene_behalten']

const [header = '', ...lines] = TABLE.trim().split('\n')
const COLUMNS = header.trim().split(/ +/)
const ROWS = lines.map(line => {
  const [method = '', path = '', ...statuses] = line.split(/ +/)
  return { route: `${method} ${path}`, statuses: statuses.map(Number) }
})
const isRefusal = (status: number) => status >= 400
const isGrant = (status: number) => status < 400
const rowsWith = (wanted: (status: number) => boolean) => ROWS.filter(({ statuses }) => statuses.some(wanted))

type Caller = (request: RouteRequest) => { headers: HeaderMap; query?: string }
interface Operation {
  security: object[]
  'x-role'?: string
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
}

const chat = openChat()
const oidc = await openOidc()
afterAll(() => {
  chat[Symbol.dispose]()
  oidc[Symbol.dispose]()
})
const on = sharedServiceWithAdmin({
  env: { WEBHOOK_URL: chat.url, METRICS_TOKEN: 'known-to-prometheus-only', ...oidcEnv(oidc) },
})
let callers: Record<string, Caller> = {}
let requests: Awaited<ReturnType<typeof routeRequests>> = {}
const newRequest = (route: string) => requests[route]?.() ?? {}

beforeAll(async () => {
  const tokens: Record<string, string> = {}
  for (const [name, limits] of Object.entries(TOKENS)) {
    const { id, token } = await on.admin.create({ darf_loeschen: true, darf_lesen: true, ...limits })
    tokens[name] = token
    if (name === 'wdrn') await on.admin.withdraw(id)
  }
  const key = tokens.full!
  requests = await routeRequests(on.service, key)
  const { session } = on.admin
  const ended = await signIn(on.service)
  await dash(on.service, 'logout', { method: 'POST', session: ended })
  const deleted = await sessionOfDeletedAccount()
  const bearer =
    (token: string): Caller =>
    () => ({ headers: { Authorization: `Bearer ${token}` } })
  const cookie = (value: string) => ({ Cookie: `fundus_sitzung=${value}` })
  const withSession =
    (own: string): Caller =>
    request => ({ headers: cookie(request.session ?? own) })
  callers = {
    none: () => ({ headers: {} }),
    ...Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, bearer(token)])),
    bare: () => ({ headers: { Authorization: key } }),
    '?key': () => ({ headers: {}, query: `apiKey=${key}` }),
    sess: withSession(session),
    edit: withSession(await sessionOfRole('redaktion')),
    view: withSession(await sessionOfRole('ansicht')),
    ends: () => ({ headers: cookie(ended) }),
    gone: () => ({ headers: cookie(deleted) }),
    othr: request => ({
      headers: { ...cookie(request.session ?? session), Origin: 'https://elsewhere.example' },
    }),
  }
})

async function sessionOfRole(rolle: string): Promise<string> {
  const account = { benutzer: rolle, passwort: 'a password of some length' }
  await dash(on.service, 'benutzer', { json: { ...account, rolle }, session: on.admin.session })
  return signIn(on.service, account)
}

async function sessionOfDeletedAccount(): Promise<string> {
  const { session } = on.admin
  const account = { benutzer: 'deleted', passwort: 'deleted soon enough' }
  const made = (await (await dash(on.service, 'benutzer', { json: account, session })).json()) as {
    id: string
  }
  const own = await signIn(on.service, account)
  await dash(on.service, `benutzer/${made.id}`, { method: 'DELETE', session })
  return own
}

/**
 * Calls a route as every caller whose expected status is `wanted`, and checks the statuses of the route's
 * row.
 */
async function askAs(
  { route, statuses }: (typeof ROWS)[number],
  wanted: (status: number) => boolean,
  requestOf: (route: string) => RouteRequest | Promise<RouteRequest>,
): Promise<Response[]> {
  const cells = COLUMNS.flatMap((column, at) =>
    wanted(statuses[at]!) ? [[column, statuses[at]!] as const] : [],
  )
  const answers: Response[] = []
  for (const [column] of cells) {
    const request = await requestOf(route)
    const answer = await sendRequest(on.service, route, request, callers[column]!(request))
    // The next request must not meet a download that is still running, because downloads are limited.
    if (answer.ok) await bodyOf(answer)
    answers.push(answer)
  }
  const found = Object.fromEntries(cells.map(([column], at) => [column, answers[at]!.status]))
  expect(found).toEqual(Object.fromEntries(cells))
  return answers
}

test('the table has a row for every route of the document, and a column for every right of a token', async () => {
  const response = await fetch(`${on.service.url}/api/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  expect(ROWS.map(({ route }) => route).sort()).toEqual(operations.map(({ route }) => route).sort())
  expect(COLUMNS.toSorted()).toEqual(Object.keys(callers).sort())
  for (const { route, statuses } of ROWS) expect([route, statuses.length]).toEqual([route, COLUMNS.length])
  // The document must declare for each route what its row says: open, or closed to anonymous callers.
  const open = (which: readonly { route: string }[]) => which.map(({ route }) => route).sort()
  expect(open(operations.filter(({ operation }) => operation.security.length === 0))).toEqual(
    open(ROWS.filter(({ statuses }) => statuses[0] !== 401)),
  )
  const refusedTo = (column: string) =>
    ROWS.filter(
      ({ statuses }) => statuses[COLUMNS.indexOf('sess')]! < 400 && statuses[COLUMNS.indexOf(column)] === 403,
    )
  const needing = (...roles: string[]) =>
    operations.filter(({ operation }) => roles.includes(operation['x-role'] ?? ''))
  expect(open(refusedTo('edit'))).toEqual(open(needing('betreiber')))
  expect(open(refusedTo('view'))).toEqual(
    open(needing('betreiber', 'redaktion').filter(({ route }) => !route.endsWith('upload-url'))),
  )
  const fields = paths['/api/dash/tokens']?.post?.requestBody?.content['application/json']?.schema.properties
  const limits = Object.values(TOKENS).flatMap(Object.keys)
  expect(Object.keys(fields ?? {}).sort()).toEqual([...limits, ...HARMLESS].sort())
})

describe('refused with one sentence', () => {
  const prepared = new Map<string, RouteRequest>()
  let before: string[] = []
  beforeAll(async () => {
    for (const { route } of ROWS) prepared.set(route, await newRequest(route))
    before = await state()
  })

  test.each(rowsWith(isRefusal))('$route', async row => {
    for (const answer of await askAs(row, isRefusal, route => prepared.get(route)!))
      await expectError(answer, answer.status)
  })

  test('and nothing has come of it', async () => {
    expect(await state()).toEqual(before)
    expect(chat.received).toEqual([])
  })
})

/**
 * Everything that a refused request could have changed, except the last use of sessions and the free space.
 */
async function state(): Promise<string[]> {
  const lists = [
    'tokens',
    'benutzer',
    'freigaben',
    'abgaben',
    'papierkorb',
    'verlauf',
    'verwaltung',
    'sicherung',
  ]
  const looks = ['media?unterordner=1&anzahl=200', 'einstellungen/export?geheim=1', ...lists]
  const answers = await Promise.all(looks.map(look => dash(on.service, look, { session: on.admin.session })))
  const texts = await Promise.all(answers.map(answer => answer.text()))
  expect(answers.map(({ status }) => status)).toEqual(looks.map(() => 200))
  return texts.map(text => text.replace(/"(zuletzt_\w+|abrufe|frei)":(\d+|null)/g, ''))
}

describe('granted', () => {
  test.each(rowsWith(isGrant))('$route', async row => {
    await askAs(row, isGrant, newRequest)
  })
})
