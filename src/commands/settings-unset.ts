import type { Command } from './command.ts'
import { parseWords } from './options.ts'
import { checkedSetting, withSettings } from './settings-house.ts'

export const settingsUnset: Command = {
  name: 'settings unset',
  summary: 'vergisst den gespeicherten Wert einer Einstellung',
  help: `fundus settings unset <NAME>

  Danach gilt wieder der Wert aus der Umgebung, sonst die Vorgabe.`,

  async run({ config, args, print }) {
    const name = checkedSetting(parseWords(args, {}, 1).positionals[0])
    await withSettings(config, (_, editor) => editor.change({ [name]: null }, 'operator'))
    print(`Die Einstellung ${name} ist nicht mehr gespeichert.`)
  },
}
