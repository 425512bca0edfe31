/** `fundus settings set`: saves a setting; a running service uses it at once. */
import { type Command, UsageError } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseWords } from './options.ts'
import { checkedSetting, warningLines } from './settings-input.ts'

export const command: Command = {
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
    const warnings = await withSettings({ config, log }, async (settings, editor) => {
      await editor.change({ [name]: value }, 'operator')
      return warningLines(settings, config)
    })
    print([`Die Einstellung ${name} ist gespeichert.`, ...warnings].join('\n'))
  },
}
