/** `fundus settings get`: prints the value of a setting that is in force. */
import { warningsOf } from '../features/settings/setting-warnings.ts'
import { type Command, UsageError } from './command.ts'
import { withSettings } from './open-features.ts'
import { parseWords } from './options.ts'
import { checkedSetting, isKnown, shown } from './settings-input.ts'

export const command: Command = {
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
