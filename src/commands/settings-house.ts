/** What the `settings` commands share: the settings of the data folder, as the service would see them. */

import { openAdapters } from '../adapters.ts'
import type { Config } from '../config.ts'
import { isSettingName, SETTING_NAMES, type SettingName } from '../contract/settings.ts'
import type { Source } from '../contract/settings-wire.ts'
import { Failure } from '../errors.ts'
import { createSettingsEditor, type SettingsEditor } from '../features/settings/edit-settings.ts'
import { warningsOf } from '../features/settings/setting-warnings.ts'
import { createSettings, type ResolvedSettings } from '../features/settings/settings.ts'
import { UsageError } from './command.ts'

/** Runs `work` on the settings; a running service takes up what it saves at once. */
export async function withSettings<T>(
  config: Config,
  work: (settings: ResolvedSettings, editor: SettingsEditor) => Promise<T> | T,
): Promise<T> {
  const { database } = await openAdapters(config)
  try {
    const settings = createSettings({
      environment: config.environment,
      port: config.port,
      saved: database,
    })
    return await work(settings, createSettingsEditor({ database, settings, now: Date.now }))
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.sentence) : error
  } finally {
    await database.close()
  }
}

export function checkedSetting(name: string | undefined): SettingName {
  const known = name?.toUpperCase() ?? ''
  if (isSettingName(known)) return known
  throw new UsageError(
    `${name === undefined ? 'Es fehlt der Name der Einstellung' : `Die Einstellung „${name}“ gibt es nicht`}. Bekannt sind: ${SETTING_NAMES.join(', ')}.`,
  )
}

/**
 * Whether a value is known here. Unless somebody gave it, the public address follows the port of the service, which may
 * have been started with another environment.
 */
export const isKnown = (name: SettingName, source: Source, { environment }: Config) =>
  name !== 'PUBLIC_URL' || source !== 'vorgabe' || (environment.PORT ?? '') !== ''

/** What is amiss with the settings as they are in force, after one of them was changed. */
export const warningLines = (settings: ResolvedSettings) =>
  warningsOf(settings.current()).map(({ sentence }) => `Achtung: ${sentence}`)

export const shown = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
