/** `fundus user create`: creates an account. */
import type { Command } from './command.ts'
import { withAccounts } from './open-features.ts'
import { parseOptions } from './options.ts'
import { checkedName, PASSWORD_HELP, readNewPassword } from './user-input.ts'

export const command: Command = {
  help: `fundus user create --name <Name> [--password-stdin]

  --name <Name>       wie sich die Person anmeldet
${PASSWORD_HELP}`,

  async run({ config, log, args, print, readInput }) {
    const values = parseOptions(args, { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } })
    const benutzer = checkedName(values.name)
    const passwort = await readNewPassword(readInput, { fromStdin: values['password-stdin'] ?? false })
    await withAccounts({ config, log }, accounts => accounts.create({ benutzer, passwort }))
    print(`Das Benutzerkonto „${benutzer}“ ist angelegt.`)
  },
}
