/** `fundus settings list`: prints all settings and where each value comes from. */
import { isSecret, SETTING_NAMES } from '../contract/settings.ts'
import { MASKED } from '../contract/settings-wire.ts'
import { warningsOf } from '../features/settings/setting-warnings.ts'
import type { Command } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseOptions } from './options.ts'
import { isKnown, shown } from './settings-input.ts'

export const command: Command = {
  help: `fundus settings list [--json]

  Geheimnisse werden verdeckt; „fundus settings get <NAME>“ zeigt sie. Was der Dienst aus seiner eigenen Umgebung hat,
  zeigt der Befehl nur, wenn es auch hier gesetzt ist.

  --json              Ausgabe als JSON`,

  async run({ config, log, args, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const { values, sources } = await withSettings({ config, log }, settings => settings.resolution())
    const warnings = new Map(
      warningsOf(values, { isShared: config.shared !== null }).map(({ name, ...warning }) => [name, warning]),
    )
    const masked = SETTING_NAMES.map(name => {
      const source = sources[name]
      const value = isSecret(name) && values[name] !== '' ? MASKED : values[name]
      const warning = warnings.get(name)
      return {
        name,
        value: isKnown(name, source, config) ? value : null,
        source,
        ...(warning && { warning }),
      }
    })
    if (json) print(JSON.stringify(masked))
    else for (const setting of masked) print(lineOf(setting))
  },
}

function lineOf({ name, value, source, warning }: Listed): string {
  const text = value === null ? 'http://localhost:<PORT des Dienstes>' : shown(value)
  const line = `${name.padEnd(20)} ${source.padEnd(12)} ${text}`.trimEnd()
  return warning ? `${line}\n${' '.repeat(21)}Achtung: ${warning.sentence}` : line
}

interface Listed {
  name: string
  value: unknown
  source: string
  warning?: { sentence: string }
}
