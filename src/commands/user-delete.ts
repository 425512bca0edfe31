/** `fundus user delete`: deletes an account. */
import type { Command } from './command.ts'
import { withAccounts } from './open-features.ts'
import { parseOptions } from './options.ts'
import { checkedName } from './user-input.ts'

export const command: Command = {
  help: `fundus user delete --name <Name>

  Beendet auch alle Sitzungen des Kontos. Das letzte Konto bleibt.

  --name <Name>       welches Konto`,

  async run({ config, log, args, print }) {
    const name = checkedName(parseOptions(args, { name: { type: 'string' } }).name)
    await withAccounts({ config, log }, async accounts => accounts.remove((await accounts.byName(name)).id))
    print(`Das Benutzerkonto „${name}“ ist gelöscht.`)
  },
}
