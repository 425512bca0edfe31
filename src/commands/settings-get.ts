import type { Command } from './command.ts'
import { checkedSetting, shown, withSettings } from './settings-house.ts'

export const settingsGet: Command = {
  name: 'settings get',
  summary: 'zeigt den geltenden Wert einer Einstellung',
  help: `fundus settings get <NAME>

  Zeigt nur den Wert, auch den eines Geheimnisses.`,

  async run({ config, args, print }) {
    const name = checkedSetting(args[0])
    print(shown(await withSettings(config, settings => settings.current()[name])))
  },
}
