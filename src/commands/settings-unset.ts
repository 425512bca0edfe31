/** `fundus settings unset`: deletes the saved value of a setting. */
import type { Command } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseWords } from './options.ts'
import { checkedSetting, warningLines } from './settings-input.ts'

export const command: Command = {
  help: `fundus settings unset <NAME>

  Danach gilt wieder der Wert aus der Umgebung, sonst die Vorgabe.`,

  async run({ config, log, args, print }) {
    const name = checkedSetting(parseWords(args, {}, 1).positionals[0])
    const warnings = await withSettings({ config, log }, async (settings, editor) => {
      await editor.change({ [name]: null }, 'operator')
      return warningLines(settings, config)
    })
    print([`Die Einstellung ${name} ist nicht mehr gespeichert.`, ...warnings].join('\n'))
  },
}
