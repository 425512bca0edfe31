/** `/api/dash/einstellungen`: read, save, export, import. */

import type { Session } from '../../access/callers.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import { isSecret, SETTING_NAMES } from '../../contract/settings.ts'
import {
  exportQuery,
  importAnswer,
  settingsAnswer,
  settingsExport,
  settingsImport,
  settingsInput,
} from '../../contract/settings-wire.ts'
import { jsonRoute } from '../../http/described.ts'
import { checked } from '../../http/json.ts'
import type { Route } from '../../http/routes.ts'
import type { SettingsEditor } from './edit-settings.ts'
import { warningsOf } from './setting-warnings.ts'
import type { Resolution, ResolvedSettings } from './settings.ts'

const PATH = `${DASHBOARD_ROUTE}/einstellungen`

export function settingsRoutes(parts: {
  settings: ResolvedSettings
  editor: SettingsEditor
}): Route<Session>[] {
  const { settings, editor } = parts
  const by = ({ account }: Session) => ({ account: account.name })
  return [
    jsonRoute({
      method: 'GET',
      path: PATH,
      summary: 'Die Einstellungen, mit der Herkunft ihrer Werte',
      answer: settingsAnswer,
      handle: () => onWire(settings.resolution()),
    }),
    jsonRoute({
      method: 'PUT',
      path: PATH,
      summary: 'Speichert Einstellungen; was fehlt, bleibt, und ein leerer Wert gilt als nicht gespeichert',
      body: settingsInput,
      answer: settingsAnswer,
      async handle({ body }, session: Session) {
        await editor.change(body, by(session))
        return onWire(settings.resolution())
      },
    }),
    {
      method: 'GET',
      path: `${PATH}/export`,
      api: {
        summary: 'Alle Einstellungen als Datei; Geheimnisse nur mit geheim=1',
        query: exportQuery,
        answer: settingsExport,
      },
      handle(context) {
        const { geheim } = checked(exportQuery, context.req.query())
        return Response.json(editor.export({ secrets: geheim === '1' }), {
          headers: { 'Content-Disposition': 'attachment; filename="fundus-einstellungen.json"' },
        })
      },
    },
    jsonRoute({
      method: 'POST',
      path: `${PATH}/import`,
      summary: 'Übernimmt exportierte Einstellungen; leere Werte überschreiben nichts',
      body: settingsImport,
      answer: importAnswer,
      async handle({ body }, session: Session) {
        const { changed, unknown } = await editor.import(body, by(session))
        return { geaendert: changed, unbekannt: unknown }
      },
    }),
  ]
}

function onWire({ values, sources }: Resolution) {
  const warnings = warningsOf(values)
  const entries = SETTING_NAMES.map(name => {
    const [wert, quelle] = [values[name], sources[name]]
    if (isSecret(name)) return [name, { quelle, geheim: true, gesetzt: wert !== '' }]
    const warning = warnings.find(each => each.name === name)
    const warnung = warning && { code: warning.code, satz: warning.sentence }
    return [name, { wert, quelle, ...(warnung && { warnung }) }]
  })
  return Object.fromEntries(entries)
}
