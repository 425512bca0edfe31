/** `/api/dash/einstellungen`: read, save, export, import. */

import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { isSecretSetting } from '../../contract/service/secret-settings.ts'
import { SETTING_NAMES } from '../../contract/service/settings.ts'
import {
  settingsAnswer,
  settingsExport,
  settingsExportQuery,
  settingsImport,
  settingsImportAnswer,
  settingsInput,
} from '../../contract/service/settings-wire.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { Storage } from '../../storage/storage.ts'
import type { SettingsEditor } from './edit-settings.ts'
import { settingWarningsOf } from './setting-warnings.ts'
import type { ResolvedSettings, ResolvedValues } from './settings.ts'

const PATH = `${DASHBOARD_ROUTE}/einstellungen`

export function settingsRoutes(parts: {
  settings: ResolvedSettings
  editor: SettingsEditor
  storage: Pick<Storage, 'isShared'>
}): SessionRoute[] {
  const { settings, editor, storage } = parts
  return [
    sessionRoute('GET', PATH, {
      role: 'betreiber',
      summary: 'Die Einstellungen, mit der Herkunft ihrer Werte',
      answer: settingsAnswer,
      handle: () => settingsOnWire(settings.resolution(), storage),
    }),
    sessionRoute('PUT', PATH, {
      role: 'betreiber',
      summary: 'Speichert Einstellungen; was fehlt, bleibt, und ein leerer Wert gilt als nicht gespeichert',
      body: settingsInput,
      answer: settingsAnswer,
      async handle({ body }, { actor }) {
        await editor.change(body, actor)
        return settingsOnWire(settings.resolution(), storage)
      },
    }),
    sessionRoute('GET', `${PATH}/export`, {
      role: 'betreiber',
      summary: 'Alle Einstellungen als Datei; Geheimnisse nur mit geheim=1',
      query: settingsExportQuery,
      answer: settingsExport,
      handle({ query: { geheim }, answerHeaders }) {
        answerHeaders.set('Content-Disposition', 'attachment; filename="fundus-einstellungen.json"')
        return editor.export({ includesSecrets: geheim === '1' })
      },
    }),
    sessionRoute('POST', `${PATH}/import`, {
      role: 'betreiber',
      summary: 'Übernimmt exportierte Einstellungen; leere Werte überschreiben nichts',
      body: settingsImport,
      answer: settingsImportAnswer,
      async handle({ body }, { actor }) {
        const { changed: changedNames, unknown: unknownNames } = await editor.import(body, actor)
        return { geaendert: changedNames, unbekannt: unknownNames }
      },
    }),
  ]
}

function settingsOnWire({ values, sources }: ResolvedValues, storage: Pick<Storage, 'isShared'>) {
  const warnings = settingWarningsOf(values, storage)
  const entries = SETTING_NAMES.map(name => {
    const [wert, quelle] = [values[name], sources[name]]
    if (isSecretSetting(name)) return [name, { quelle, geheim: true, gesetzt: wert !== '' }]
    const warning = warnings.find(candidate => candidate.name === name)
    const warnung = warning && { code: warning.code, satz: warning.sentence }
    return [name, { wert, quelle, ...(warnung && { warnung }) }]
  })
  return Object.fromEntries(entries)
}
