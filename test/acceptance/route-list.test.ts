/** Every route there is, with who may call it: a new one is written down here, and none goes unnoticed. */
import { expect, test } from 'bun:test'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

const ROUTES = `
  key DELETE /api/audio/delete/{id}
  key DELETE /api/audio/{id}
  key DELETE /api/image/delete/{id}
  key DELETE /api/image/{id}
  key DELETE /api/v3/file/{id}
  key DELETE /api/video/delete/{id}
  key DELETE /api/video/{id}
  key POST /api/audio
  key POST /api/image
  key POST /api/v2/audio
  key POST /api/v2/image
  key POST /api/v2/video
  key POST /api/v3/file
  key POST /api/v3/file/base64
  key POST /api/video
  open GET /api/docs
  open GET /api/openapi.json
  open GET /f/{pfad}
  open GET /health
  open GET /metrics
  open GET /s/{schluessel}
  open GET /status
  open GET /t/{pfad}
  session DELETE /api/dash/benutzer/{id}
  session DELETE /api/dash/freigaben
  session DELETE /api/dash/tokens/{id}
  session GET /api/dash/aufnahme/{pfad}
  session GET /api/dash/benutzer
  session GET /api/dash/einstellungen
  session GET /api/dash/einstellungen/export
  session GET /api/dash/ereignisse
  session GET /api/dash/export
  session GET /api/dash/folders
  session GET /api/dash/freigaben
  session GET /api/dash/herunterladen
  session GET /api/dash/ich
  session GET /api/dash/inhalt/{pfad}
  session GET /api/dash/maintenance/integritaet
  session GET /api/dash/media
  session GET /api/dash/media/{pfad}
  session GET /api/dash/papierkorb
  session GET /api/dash/papierkorb/vorschau/{nr}
  session GET /api/dash/sicherung
  session GET /api/dash/sicherung/archiv/{name}
  session GET /api/dash/sicherung/archiv/{name}/pruefsumme
  session GET /api/dash/statistik
  session GET /api/dash/statistik/datei/{pfad}
  session GET /api/dash/tokens
  session GET /api/dash/tokens/{id}/sharex
  session GET /api/dash/uebersicht
  session GET /api/dash/verlauf
  session GET /api/dash/verlauf/datei/{pfad}
  session GET /api/dash/verlauf/export
  session GET /api/dash/verwaltung
  session GET /api/dash/vorschau/{pfad}
  session PATCH /api/dash/tokens/{id}
  session POST /api/dash/benutzer
  session POST /api/dash/einstellungen/import
  session POST /api/dash/export
  session POST /api/dash/fehlende
  session POST /api/dash/folders/loeschen
  session POST /api/dash/folders/umbenennen
  session POST /api/dash/folders/verschieben
  session POST /api/dash/freigaben
  session POST /api/dash/herunterladen
  session POST /api/dash/logout
  session POST /api/dash/maintenance/integritaet
  session POST /api/dash/maintenance/thumbs
  session POST /api/dash/maintenance/verwaiste
  session POST /api/dash/maintenance/webp
  session POST /api/dash/media/ersetzen
  session POST /api/dash/media/loeschen
  session POST /api/dash/media/umbenennen
  session POST /api/dash/media/verschieben
  session POST /api/dash/media/vorhanden
  session POST /api/dash/papierkorb/leeren
  session POST /api/dash/papierkorb/wiederherstellen
  session POST /api/dash/passwort
  session POST /api/dash/sicherung
  session POST /api/dash/tokens
  session POST /api/dash/upload
  session POST /api/dash/upload-url
  session POST /api/dash/verlauf/zuruecknehmen
  session POST /api/dash/webhook/test
  session PUT /api/dash/einstellungen
  token DELETE /api/media/{pfad}
  token GET /api/exists
  token GET /api/exists/{pfad}
  token POST /api/upload
  visitor GET /api/dash/einrichtung
  visitor POST /api/dash/einrichtung
  visitor POST /api/dash/login
`

test('the service has exactly these routes, each in its scope', async () => {
  const document = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { 'x-access': string }>>
  }
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => `  ${operation['x-access']} ${method.toUpperCase()} ${path}`,
    ),
  )
  expect(`\n${found.sort().join('\n')}\n`).toBe(ROUTES)
})
