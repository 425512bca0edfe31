/** How the `settings` commands read a name and show a value. */

import type { Config } from '../config.ts'
import { isSettingName, SETTING_NAMES, type SettingName } from '../contract/settings.ts'
import type { Source } from '../contract/settings-wire.ts'
import { warningsOf } from '../features/settings/setting-warnings.ts'
import type { ResolvedSettings } from '../features/settings/settings.ts'
import { UsageError } from './command.ts'

export function checkedSetting(name: string | undefined): SettingName {
  const known = name?.toUpperCase() ?? ''
  if (isSettingName(known)) return known
  throw new UsageError(
    `${name === undefined ? 'Es fehlt der Name der Einstellung' : `Die Einstellung „${name}“ gibt es nicht`}. Bekannt sind: ${SETTING_NAMES.join(', ')}.`,
  )
}

/**
 * Whether this command knows the value. A public address that was not set depends on the port of the service, and the
 * service may have been started with another environment than this command.
 */
export const isKnown = (name: SettingName, source: Source, { environment }: Config) =>
  name !== 'PUBLIC_URL' || source !== 'vorgabe' || (environment.PORT ?? '') !== ''

/** Warnings about the settings in force, printed after one of them was changed. */
export const warningLines = (settings: ResolvedSettings, { shared }: Config) =>
  warningsOf(settings.current(), { isShared: shared !== null }).map(({ sentence }) => `Achtung: ${sentence}`)

export const shown = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
