/** `fundus settings …`: prints, saves and resets settings; a running service uses a change at once. */

import type { PickText, TextPair } from '../../base/language.ts'
import type { Config } from '../../config/config.ts'
import { isSecretSetting } from '../../contract/service/secret-settings.ts'
import { isSettingName, SETTING_NAMES, type SettingName } from '../../contract/service/settings.ts'
import { MASKED_SECRET, type SettingSource, settingText } from '../../contract/service/settings-wire.ts'
import { sentencePair } from '../../errors/failure.ts'
import { settingWarningsOf } from '../../features/settings/setting-warnings.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseOptions, parseWords } from './options.ts'

const listCommand: Command = {
  help: [
    `fundus settings list [--json]

  Geheimnisse werden verdeckt; „fundus settings get <NAME>“ zeigt sie. Was der Dienst aus seiner eigenen Umgebung hat,
  zeigt der Befehl nur, wenn es auch hier gesetzt ist.

  --json              Ausgabe als JSON`,
    `fundus settings list [--json]

  Secrets are hidden; “fundus settings get <NAME>” shows them. What the service has from an environment of its own is shown only
  when it is set here too.

  --json              output as JSON`,
  ],

  async run({ config, log, args, formatter, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const { values, sources } = await withSettings({ config, log }, settings => settings.resolution())
    const warnings = new Map(
      settingWarningsOf(values, { isShared: config.sharedServices !== null }).map(({ name, ...warning }) => [
        name,
        warning,
      ]),
    )
    const listedSettings = SETTING_NAMES.map(name => {
      const source = sources[name]
      const value = isSecretSetting(name) && values[name] !== '' ? MASKED_SECRET : values[name]
      const warning = warnings.get(name)
      return {
        name,
        value: isValueKnown(name, source, config) ? value : null,
        source,
        ...(warning && { warning }),
      }
    })
    if (json) print(JSON.stringify(listedSettings))
    else for (const setting of listedSettings) print(settingLine(setting, formatter.localize))
  },
}

/** The words for sources in the text output. The JSON output has the German words of the API instead. */
const SOURCE_WORDS: Readonly<Record<SettingSource, TextPair>> = {
  gespeichert: ['gespeichert', 'saved'],
  umgebung: ['umgebung', 'environment'],
  vorgabe: ['vorgabe', 'default'],
}

function settingLine({ name, value, source, warning }: ListedSetting, localize: PickText): string {
  const text =
    value === null
      ? localize('http://localhost:<PORT des Dienstes>', 'http://localhost:<PORT of the service>')
      : valueText(value)
  const line = `${name.padEnd(20)} ${localize(...SOURCE_WORDS[source]).padEnd(12)} ${text}`.trimEnd()
  return warning ? `${line}\n${' '.repeat(21)}${warningText(warning, localize)}` : line
}

interface ListedSetting {
  name: string
  value: unknown
  source: SettingSource
  warning?: Warning
}

type Warning = { code: string; sentence: string }

const warningText = (warning: Warning, localize: PickText) =>
  `${localize('Achtung', 'Warning')}: ${localize(...sentencePair(warning))}`

const getCommand: Command = {
  help: [
    `fundus settings get <NAME>

  Zeigt nur den Wert, auch den eines Geheimnisses. Stimmt etwas nicht mit ihm, steht das in der Standardfehlerausgabe.`,
    `fundus settings get <NAME>

  Shows only the value, also that of a secret. Where something is wrong with it, standard error says so.`,
  ],

  async run({ config, log, args, formatter: { localize }, print, printToStderr }) {
    const name = readSettingName(parseWords(args, {}, 1).positionals[0])
    const { values, sources } = await withSettings({ config, log }, settings => settings.resolution())
    if (!isValueKnown(name, sources[name], config))
      throw new UsageError(
        `${name} ist nicht gesetzt und folgt dem PORT des Dienstes, den dieser Befehl nicht kennt; PORT hilft ihm.`,
        `${name} is not set and follows the PORT of the service, which this command does not know; setting PORT helps it.`,
      )
    print(valueText(values[name]))
    for (const warning of settingWarningsOf(values, { isShared: config.sharedServices !== null }))
      if (warning.name === name) printToStderr(`${warningText(warning, localize)}\n`)
  },
}

const setCommand: Command = {
  help: [
    `fundus settings set <NAME> <Wert>
fundus settings set <NAME> --stdin

  Listen werden mit Kommas geschrieben: fundus settings set WEBHOOK_ANLAESSE sicherung,platte
  Regeln als JSON: fundus settings set OIDC_REGELN '[{"anspruch":"groups","wert":"helfer","rolle":"redaktion"}]'

  --stdin             den Wert aus der Standardeingabe lesen (erste Zeile); so steht ein Geheimnis
                      weder in der Liste der Prozesse noch im Verlauf der Shell`,
    `fundus settings set <NAME> <value>
fundus settings set <NAME> --stdin

  Lists are written with commas: fundus settings set WEBHOOK_ANLAESSE sicherung,platte
  Rules as JSON: fundus settings set OIDC_REGELN '[{"anspruch":"groups","wert":"helpers","rolle":"redaktion"}]'

  --stdin             read the value from standard input (first line); so a secret stands neither in the list of processes
                      nor in the history of the shell`,
  ],

  async run({ config, log, args, formatter: { localize }, print, readInput }) {
    const { positionals, values } = parseWords(args, { stdin: { type: 'boolean' } }, 2)
    const name = readSettingName(positionals[0])
    const value = values.stdin ? (await readInput()).split(/\r?\n/, 1)[0] : positionals[1]
    if (value === undefined || value.trim() === '')
      throw new UsageError(
        `Es fehlt der Wert; zurück zur Vorgabe führt: fundus settings unset ${name}`,
        `The value is missing; the way back to the default is: fundus settings unset ${name}`,
      )
    const warnings = await saveSetting({ config, log }, name, value)
    const confirmation = localize(`Die Einstellung ${name} ist gespeichert.`, `The setting ${name} is saved.`)
    print([confirmation, ...warnings.map(warning => warningText(warning, localize))].join('\n'))
  },
}

const unsetCommand: Command = {
  help: [
    `fundus settings unset <NAME>

  Danach gilt wieder der Wert aus der Umgebung, sonst die Vorgabe.`,
    `fundus settings unset <NAME>

  Afterwards the value from the environment counts again, else the default.`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    const name = readSettingName(parseWords(args, {}, 1).positionals[0])
    const warnings = await saveSetting({ config, log }, name, null)
    const confirmation = localize(
      `Die Einstellung ${name} ist nicht mehr gespeichert.`,
      `The setting ${name} is no longer saved.`,
    )
    print([confirmation, ...warnings.map(warning => warningText(warning, localize))].join('\n'))
  },
}

export const commands = { list: listCommand, get: getCommand, set: setCommand, unset: unsetCommand }

function readSettingName(name: string | undefined): SettingName {
  const upperCaseName = name?.toUpperCase() ?? ''
  if (isSettingName(upperCaseName)) return upperCaseName
  throw new UsageError(
    `${name === undefined ? 'Es fehlt der Name der Einstellung' : `Die Einstellung „${name}“ gibt es nicht`}. Bekannt sind: ${SETTING_NAMES.join(', ')}.`,
    `${name === undefined ? 'The name of the setting is missing' : `There is no setting “${name}”`}. Known are: ${SETTING_NAMES.join(', ')}.`,
  )
}

/**
 * Whether this command can determine the value that the service uses. The default public address depends on
 * the port of the service, whose environment may differ from that of this command.
 */
const isValueKnown = (name: SettingName, source: SettingSource, { environment }: Config) =>
  name !== 'PUBLIC_URL' || source !== 'vorgabe' || (environment.PORT ?? '') !== ''

/** Saves a setting; null resets it. Returns the warnings about the settings that are in force afterwards. */
const saveSetting = (
  instance: Pick<CommandContext, 'config' | 'log'>,
  name: SettingName,
  value: string | null,
) =>
  withSettings(instance, async (settings, editor) => {
    await editor.change({ [name]: value }, 'operator')
    return settingWarningsOf(settings.current(), { isShared: instance.config.sharedServices !== null })
  })

const valueText = (value: unknown) => settingText(value, ',')
