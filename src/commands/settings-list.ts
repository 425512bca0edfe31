import { isSecret, SETTING_NAMES } from '../contract/settings.ts'
import { MASKED } from '../contract/settings-wire.ts'
import type { Command } from './command.ts'
import { parseOptions } from './options.ts'
import { shown, withSettings } from './settings-house.ts'

export const settingsList: Command = {
  name: 'settings list',
  summary: 'zeigt die Einstellungen und woher ihr Wert kommt',
  help: `fundus settings list [--json]

  Geheimnisse werden verdeckt; „fundus settings get <NAME>“ zeigt sie.

  --json              Ausgabe als JSON`,

  async run({ config, args, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const { values, sources } = await withSettings(config, settings => settings.resolution())
    const masked = SETTING_NAMES.map(name => {
      const value = isSecret(name) && values[name] !== '' ? MASKED : values[name]
      return { name, value, source: sources[name] }
    })
    if (json) print(JSON.stringify(masked))
    else
      for (const { name, value, source } of masked)
        print(`${name.padEnd(20)} ${source.padEnd(12)} ${shown(value)}`.trimEnd())
  },
}
