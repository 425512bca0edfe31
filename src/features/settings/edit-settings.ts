/** Changing settings: all of what was given or nothing, with an entry in the administration history for each. */
import type { Actor } from '../../access/actor.ts'
import {
  isSecret,
  isSettingName,
  SETTING_NAMES,
  type SettingName,
  type SettingValue,
  type SettingValues,
} from '../../contract/settings.ts'
import { type GivenSettings, MASKED } from '../../contract/settings-wire.ts'
import type { Database, Queries } from '../../database/database.ts'
import { failure } from '../../errors.ts'
import { recordAdministration } from '../history/administration.store.ts'
import { deleteSetting, putSetting, savedSettings } from './settings.store.ts'
import type { Resolution, ResolvedSettings } from './settings.ts'

export interface SettingsEditor {
  /**
   * Saves what is given; `''` or null goes back to environment or default. Rejects with 400 when one of them is unknown
   * or cannot be used, and has saved nothing then. Answers the names of what was not as given before.
   */
  change(given: GivenSettings, by: Actor): Promise<SettingName[]>
  /** The same, but what is empty overwrites nothing, what is in force already stays as it is, and unknown names are told. */
  import(given: GivenSettings, by: Actor): Promise<{ changed: SettingName[]; unknown: string[] }>
  /** Every value in force. */
  export(options: { secrets: boolean }): Partial<SettingValues>
}

/** What to save, as JSON; null: nothing any more. */
type Orders = ReadonlyMap<SettingName, string | null>

export interface SettingsEditorParts {
  database: Database
  settings: ResolvedSettings
  now: () => number
}

export function createSettingsEditor({ database, settings, now }: SettingsEditorParts): SettingsEditor {
  function checked(name: SettingName, given: unknown): SettingValue {
    const result = settings.check(name, given)
    if ('problem' in result) throw failure.settingInvalid(name, result.problem)
    return result.value
  }

  /** `orders` sees the settings as they are within the transaction. */
  function write(by: Actor, ordersFor: (before: Resolution) => Orders): Promise<SettingName[]> {
    return database.transaction(async tx => {
      const saved = await savedSettings(tx)
      const before = settings.resolve(saved)
      const orders = [...ordersFor(before)].filter(([name, text]) => (saved.get(name) ?? null) !== text)
      for (const [name, text] of orders) {
        if (text === null) {
          await deleteSetting(tx, name)
          saved.delete(name)
        } else {
          await putSetting(tx, name, text)
          saved.set(name, text)
        }
      }
      const names = orders.map(([name]) => name)
      await record(tx, by, now(), names, [before, settings.resolve(saved)])
      return names
    })
  }

  return {
    async change(given, by) {
      const orders = new Map<SettingName, string | null>()
      for (const [name, value] of Object.entries(given)) {
        if (!isSettingName(name)) throw failure.settingUnknown(name)
        const unset = value === null || (typeof value === 'string' && value.trim() === '')
        orders.set(name, unset ? null : JSON.stringify(checked(name, value)))
      }
      return write(by, () => orders)
    },

    async import(given, by) {
      const values = new Map<SettingName, string>()
      for (const name of SETTING_NAMES) {
        if (isEmpty(given[name])) continue
        const value = checked(name, given[name])
        // A list may be empty only now, when what we do not know has been taken out.
        if (!isEmpty(value)) values.set(name, JSON.stringify(value))
      }
      const news = ({ values: inForce }: Resolution) =>
        new Map([...values].filter(([name, text]) => JSON.stringify(inForce[name]) !== text))
      return {
        changed: await write(by, news),
        unknown: Object.keys(given).filter(name => !isSettingName(name)),
      }
    },

    export({ secrets }) {
      const { values } = settings.resolution()
      const shown = SETTING_NAMES.filter(name => secrets || !isSecret(name))
      return Object.fromEntries(shown.map(name => [name, values[name]]))
    },
  }
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

async function record(
  tx: Queries,
  by: Actor,
  at: number,
  names: readonly SettingName[],
  [before, after]: [Resolution, Resolution],
): Promise<void> {
  for (const name of names) {
    const [old, now] = [readable(name, before.values[name]), readable(name, after.values[name])]
    await recordAdministration(tx, by, at, { what: name, old, new: now })
  }
}

/** For the history, which everybody with an account reads and exports. */
function readable(name: SettingName, value: SettingValue): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  return isSecret(name) && text !== '' ? MASKED : text
}
