/** `fundus settings set`: saves a setting; a running service uses it at once. */
import { type Command, UsageError } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseWords } from './options.ts'
import { checkedSetting, warningLines } from './settings-input.ts'

export const settingsSet: Command = {
  name: 'settings set',
  summary: 'speichert eine Einstellung; sie gilt sofort, auch im laufenden Dienst',
  help: `fundus settings set <NAME> <Wert>
fundus settings set <NAME> --stdin

  Listen werden mit Kommas geschrieben: fundus settings set WEBHOOK_ANLAESSE sicherung,platte

  --stdin             den Wert aus der Standardeingabe lesen (erste Zeile); so steht ein Geheimnis
                      weder in der Liste der Prozesse noch im Verlauf der Shell`,

  async run({ config, args, print }) {
    const { positionals, values } = parseWords(args, { stdin: { type: 'boolean' } }, 2)
    const name = checkedSetting(positionals[0])
    const value = values.stdin ? (await Bun.stdin.text()).split(/\r?\n/, 1)[0] : positionals[1]
    if (value === undefined || value.trim() === '')
      throw new UsageError(`Es fehlt der Wert; zurück zur Vorgabe führt: fundus settings unset ${name}`)
    const warnings = await withSettings(config, async (settings, editor) => {
      await editor.change({ [name]: value }, 'operator')
      return warningLines(settings)
    })
    print([`Die Einstellung ${name} ist gespeichert.`, ...warnings].join('\n'))
  },
}
