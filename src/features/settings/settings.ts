/**
 * The settings in force: the saved value, else the environment, else the default. Every request reads them,
 * so they are cached until any process changes the saved values.
 */

import { SentenceError } from '../../base/language.ts'
import { isPosixPath } from '../../contract/paths/absolute-path.ts'
import { settingProblem } from '../../contract/service/setting-clauses.ts'
import {
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
  type SettingValues,
  settingSchemas,
} from '../../contract/service/settings.ts'
import type { SettingSource } from '../../contract/service/settings-wire.ts'
import type { BilingualText } from '../../contract/words/both-languages.ts'
import type { Database, DatabaseState } from '../../database/database.ts'

export interface Settings {
  /**
   * Call this at each use and never keep the result, so that every process applies a change immediately. The
   * values are at least as new as the database state that the request or job waited for at its start
   * (`Database.currentState`).
   */
  current(): SettingValues
}

export interface ResolvedValues {
  values: SettingValues
  sources: Readonly<Record<SettingName, SettingSource>>
}

export interface ResolvedSettings extends Settings {
  resolution(): ResolvedValues
  /** The settings that would apply if exactly these values were saved. `saved` maps names to JSON. */
  resolve(saved: ReadonlyMap<string, string>): ResolvedValues
  check(name: SettingName, value: unknown): SettingCheckResult
}

/** `problem` is the end of a sentence that begins with „Die Einstellung X …“. */
export type SettingCheckResult = { value: SettingValue } | { problem: BilingualText }

interface SettingsParts {
  environment: Record<string, string | undefined>
  /** For the default of `PUBLIC_URL`, which is `http://localhost` with this port. */
  port: number
  /** The database with the saved settings. Without it, only the environment and the defaults apply. */
  database?: Pick<Database, 'knownState'>
  platform?: string
  /** Called for each saved value that cannot be used, with a sentence for the operator. */
  onUnusable?: (name: SettingName, sentence: string) => void
}

/** Thrown if a setting in the environment is unusable. The message is a sentence for the operator. */
export class SettingError extends SentenceError {}

export function createSettings(parts: SettingsParts): ResolvedSettings {
  const { port, database, platform = process.platform } = parts
  const check = (name: SettingName, value: unknown) => checkSetting(name, value, platform)
  const environmentSettings = settingsFromEnvironment(parts.environment, port, check)

  /**
   * Overrides values from the environment with saved ones. Ignores saved values that this version or machine
   * cannot use, and passes each of them to `onUnusable`.
   */
  function resolve(
    jsonByName: ReadonlyMap<string, string>,
    onUnusable?: SettingsParts['onUnusable'],
  ): ResolvedValues {
    const values: Record<string, SettingValue> = { ...environmentSettings.values }
    const sources = { ...environmentSettings.sources }
    for (const name of SETTING_NAMES) {
      const savedJson = jsonByName.get(name)
      if (savedJson === undefined) continue
      const checkedValue = checkSaved(name, savedJson)
      if ('problem' in checkedValue) {
        onUnusable?.(name, unusableSentence(name, checkedValue.problem.de, sources[name]))
        continue
      }
      values[name] = checkedValue.value
      sources[name] = 'gespeichert'
    }
    return { values: values as unknown as SettingValues, sources }
  }

  /** Checks a saved value. The text may not even be JSON, since a restored database may contain anything. */
  function checkSaved(name: SettingName, text: string): SettingCheckResult {
    try {
      return check(name, JSON.parse(text))
    } catch {
      return { problem: { de: 'ist unlesbar gespeichert', en: 'is stored unreadably' } }
    }
  }

  let resolution = environmentSettings
  let knownState: DatabaseState | undefined
  let savedTexts: DatabaseState['settings'] = new Map()

  function currentResolution(): ResolvedValues {
    const newState = database?.knownState()
    if (newState && newState !== knownState) {
      const newTexts = newState.settings
      // Most commits leave the settings unchanged.
      if (!areEqualTexts(newTexts, savedTexts)) resolution = resolve(newTexts, parts.onUnusable)
      savedTexts = newTexts
      knownState = newState
    }
    return resolution
  }

  return {
    current: () => currentResolution().values,
    resolution: currentResolution,
    resolve: texts => resolve(texts),
    check,
  }
}

/** A sentence for the operator. It does not contain the value, which may be a secret. */
const unusableSentence = (name: SettingName, problem: string, source: SettingSource) =>
  `Die gespeicherte Einstellung ${name} ${problem}; es gilt ${source === 'umgebung' ? 'der Wert aus der Umgebung' : 'die Vorgabe'}.`

function checkSetting(name: SettingName, value: unknown, platform: string): SettingCheckResult {
  const validation = settingSchemas[name].safeParse(value)
  if (!validation.success) return { problem: settingProblem(validation.error.issues[0]?.message) }
  // On Windows `/backup` is on whatever drive the service was started from, so such a target is refused.
  const isTarget = name === 'SICHERUNG_ZIEL' || name === 'SICHERUNG_ZWEITZIEL'
  if (isTarget && platform === 'win32' && isPosixPath(String(validation.data)))
    return { problem: settingProblem('windows-path') }
  return { value: validation.data as SettingValue }
}

function settingsFromEnvironment(
  environment: SettingsParts['environment'],
  port: number,
  check: ResolvedSettings['check'],
): ResolvedValues {
  const entries = SETTING_NAMES.map(name => {
    const environmentValue = environment[name] === '' ? undefined : environment[name]
    const checkedSetting = check(name, environmentValue)
    if ('problem' in checkedSetting) {
      const { de, en } = checkedSetting.problem
      throw new SettingError(
        `Die Einstellung ${name} ${de}.`,
        `The environment variable ${name} is not valid; it ${en}.`,
      )
    }
    const source: SettingSource = environmentValue === undefined ? 'vorgabe' : 'umgebung'
    return { name, source, value: checkedSetting.value ?? `http://localhost:${port}` }
  })
  return {
    values: Object.fromEntries(entries.map(({ name, value }) => [name, value])) as unknown as SettingValues,
    sources: Object.fromEntries(
      entries.map(({ name, source }) => [name, source]),
    ) as ResolvedValues['sources'],
  }
}

const areEqualTexts = (someTexts: ReadonlyMap<string, string>, otherTexts: ReadonlyMap<string, string>) =>
  someTexts.size === otherTexts.size && [...someTexts].every(([name, text]) => otherTexts.get(name) === text)
