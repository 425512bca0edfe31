/** `fundus user password`: sets a new password for an account and lifts its locks. */
import type { Command } from './command.ts'
import { withAccounts } from './open-features.ts'
import { parseOptions } from './options.ts'
import { checkedName, PASSWORD_HELP, readNewPassword } from './user-input.ts'

export const command: Command = {
  help: `fundus user password --name <Name> [--password-stdin]

  Beendet alle Sitzungen des Kontos und hebt seine Anmeldesperren auf.

  --name <Name>       welches Konto
${PASSWORD_HELP}`,

  async run({ config, log, args, print, readInput }) {
    const values = parseOptions(args, { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } })
    const name = checkedName(values.name)
    // Checked first, so that the operator does not type a password twice for an account that does not exist.
    await withAccounts({ config, log }, accounts => accounts.byName(name))
    const password = await readNewPassword(readInput, { fromStdin: values['password-stdin'] ?? false })
    await withAccounts({ config, log }, accounts => accounts.resetPassword(name, password))
    print(`Das Passwort von „${name}“ ist gesetzt; seine Sitzungen sind beendet, seine Sperren aufgehoben.`)
  },
}
