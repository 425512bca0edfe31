/** Changes, imports and exports settings. Each change gets an entry in the administration history. */

import { isEmptySetting } from '../../contract/service/empty-setting.ts'
import { isSecretSetting } from '../../contract/service/secret-settings.ts'
import {
  isSettingName,
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
} from '../../contract/service/settings.ts'
import { MASKED_SECRET, type SettingsInput, settingText } from '../../contract/service/settings-wire.ts'
import type { Queries } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import type { Actor } from '../../http/access/actor.ts'
import type { FeatureParts } from '../feature.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { deleteSetting, putSetting, readSavedSettings } from './settings.store.ts'
import type { ResolvedSettings, ResolvedValues } from './settings.ts'

export type SettingsEditor = ReturnType<typeof createSettingsEditor>

/** The values to save, as JSON; null deletes the saved value. */
type SettingChanges = ReadonlyMap<SettingName, string | null>

type SettingsEditorParts = Pick<FeatureParts, 'database' | 'now'> & { settings: ResolvedSettings }

export function createSettingsEditor({ database, settings, now }: SettingsEditorParts) {
  /**
   * Saves changes in one transaction and returns the names of the changed settings. `changesFor` derives the
   * changes from the settings as this transaction reads them.
   */
  async function writeChanges(
    actor: Actor,
    changesFor: (previousSettings: ResolvedValues) => SettingChanges,
  ): Promise<SettingName[]> {
    const changedNames = await database.transaction(async tx => {
      const savedTexts = await readSavedSettings(tx)
      const previousSettings = settings.resolve(savedTexts)
      const changes = [...changesFor(previousSettings)].filter(
        ([name, text]) => (savedTexts.get(name) ?? null) !== text,
      )
      for (const [name, text] of changes) {
        if (text === null) {
          await deleteSetting(tx, name)
          savedTexts.delete(name)
        } else {
          await putSetting(tx, name, text)
          savedTexts.set(name, text)
        }
      }
      const names = changes.map(([name]) => name)
      await recordChanges(tx, actor, now(), names, [previousSettings, settings.resolve(savedTexts)])
      return names
    })
    // Waits until this process knows the new values, so that the answer to this request shows them.
    await database.currentState()
    return changedNames
  }

  return {
    /**
     * Saves the given settings; a blank string or null removes the saved value. Rejects with 400, and saves
     * nothing, for an unknown name or an unusable value. Returns the names whose saved value has changed.
     */
    async change(input: SettingsInput, actor: Actor) {
      const changes = new Map<SettingName, string | null>()
      for (const [name, value] of Object.entries(input)) {
        if (!isSettingName(name)) throw failure.settingUnknown(name)
        const isUnset = value === null || (typeof value === 'string' && value.trim() === '')
        changes.set(name, isUnset ? null : JSON.stringify(requireValidSetting(settings, name, value)))
      }
      return writeChanges(actor, () => changes)
    },

    /**
     * Like `change`, but an empty value overwrites nothing, a value that is already in force is not saved,
     * and unknown names are returned instead of rejected.
     */
    async import(input: SettingsInput, actor: Actor) {
      const values = new Map<SettingName, string>()
      for (const name of SETTING_NAMES) {
        if (isEmptySetting(input[name])) continue
        const value = requireValidSetting(settings, name, input[name])
        // The check removes unknown occasions from `WEBHOOK_ANLAESSE`, which may leave it empty.
        if (!isEmptySetting(value)) values.set(name, JSON.stringify(value))
      }
      const selectChanges = ({ values: currentValues }: ResolvedValues) =>
        new Map([...values].filter(([name, text]) => JSON.stringify(currentValues[name]) !== text))
      return {
        changed: await writeChanges(actor, selectChanges),
        unknown: Object.keys(input).filter(name => !isSettingName(name)),
      }
    },

    /** Every value in force; secrets are included only if `includesSecrets` is true. */
    export({ includesSecrets }: { includesSecrets: boolean }) {
      const { values } = settings.resolution()
      const exportedNames = SETTING_NAMES.filter(name => includesSecrets || !isSecretSetting(name))
      return Object.fromEntries(exportedNames.map(name => [name, values[name]]))
    },
  }
}

function requireValidSetting(settings: ResolvedSettings, name: SettingName, value: unknown): SettingValue {
  const checkedSetting = settings.check(name, value)
  if ('problem' in checkedSetting) throw failure.settingInvalid(name, checkedSetting.problem)
  return checkedSetting.value
}

async function recordChanges(
  tx: Queries,
  actor: Actor,
  time: number,
  names: readonly SettingName[],
  [oldSettings, newSettings]: [ResolvedValues, ResolvedValues],
): Promise<void> {
  for (const name of names) {
    const [oldText, newText] = [
      historyText(name, oldSettings.values[name]),
      historyText(name, newSettings.values[name]),
    ]
    await recordAdministration(tx, actor, time, { what: name, old: oldText, new: newText })
  }
}

/**
 * The value as text for the administration history. Every operator can read and export that history, so
 * secrets are masked.
 */
function historyText(name: SettingName, value: SettingValue): string {
  const text = settingText(value)
  return isSecretSetting(name) && text !== '' ? MASKED_SECRET : text
}
