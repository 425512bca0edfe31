/** `fundus settings …`: prints settings, saves them and deletes what was saved; a running service uses a change at once. */
import type { Config } from '../config.ts'
import { isSecret, isSettingName, SETTING_NAMES, type SettingName } from '../contract/settings.ts'
import { MASKED, type Source } from '../contract/settings-wire.ts'
import { warningsOf } from '../features/settings/setting-warnings.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseOptions, parseWords } from './options.ts'

const list: Command = {
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

const get: Command = {
  help: `fundus settings get <NAME>

  Zeigt nur den Wert, auch den eines Geheimnisses. Stimmt etwas nicht mit ihm, steht das in der Standardfehlerausgabe.`,

  async run({ config, log, args, print, complain }) {
    const name = checkedSetting(parseWords(args, {}, 1).positionals[0])
    const { values, sources } = await withSettings({ config, log }, settings => settings.resolution())
    if (!isKnown(name, sources[name], config))
      throw new UsageError(
        `${name} ist nicht gesetzt und folgt dem PORT des Dienstes, den dieser Befehl nicht kennt; PORT hilft ihm.`,
      )
    print(shown(values[name]))
    for (const warning of warningsOf(values, { isShared: config.shared !== null }))
      if (warning.name === name) complain(`Achtung: ${warning.sentence}\n`)
  },
}

const set: Command = {
  help: `fundus settings set <NAME> <Wert>
fundus settings set <NAME> --stdin

  Listen werden mit Kommas geschrieben: fundus settings set WEBHOOK_ANLAESSE sicherung,platte

  --stdin             den Wert aus der Standardeingabe lesen (erste Zeile); so steht ein Geheimnis
                      weder in der Liste der Prozesse noch im Verlauf der Shell`,

  async run({ config, log, args, print, readInput }) {
    const { positionals, values } = parseWords(args, { stdin: { type: 'boolean' } }, 2)
    const name = checkedSetting(positionals[0])
    const value = values.stdin ? (await readInput()).split(/\r?\n/, 1)[0] : positionals[1]
    if (value === undefined || value.trim() === '')
      throw new UsageError(`Es fehlt der Wert; zurück zur Vorgabe führt: fundus settings unset ${name}`)
    const warnings = await save({ config, log }, name, value)
    print([`Die Einstellung ${name} ist gespeichert.`, ...warnings].join('\n'))
  },
}

const unset: Command = {
  help: `fundus settings unset <NAME>

  Danach gilt wieder der Wert aus der Umgebung, sonst die Vorgabe.`,

  async run({ config, log, args, print }) {
    const name = checkedSetting(parseWords(args, {}, 1).positionals[0])
    const warnings = await save({ config, log }, name, null)
    print([`Die Einstellung ${name} ist nicht mehr gespeichert.`, ...warnings].join('\n'))
  },
}

export const commands = { list, get, set, unset }

function checkedSetting(name: string | undefined): SettingName {
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
const isKnown = (name: SettingName, source: Source, { environment }: Config) =>
  name !== 'PUBLIC_URL' || source !== 'vorgabe' || (environment.PORT ?? '') !== ''

/** Saves the value of a setting; null forgets the saved one. Answers the warnings about the settings then in force. */
const save = (instance: Pick<CommandContext, 'config' | 'log'>, name: SettingName, value: string | null) =>
  withSettings(instance, async (settings, editor) => {
    await editor.change({ [name]: value }, 'operator')
    const warnings = warningsOf(settings.current(), { isShared: instance.config.shared !== null })
    return warnings.map(({ sentence }) => `Achtung: ${sentence}`)
  })

const shown = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))
