/** `fundus user create`: creates an account. */
import type { Command } from './command.ts'
import { withAccounts } from './open-features.ts'
import { parseOptions } from './options.ts'
import { checkedName, PASSWORD_HELP, readNewPassword } from './user-input.ts'

export const userCreate: Command = {
  name: 'user create',
  summary: 'legt ein Benutzerkonto an',
  help: `fundus user create --name <Name> [--password-stdin]

  --name <Name>       wie sich die Person anmeldet
${PASSWORD_HELP}`,

  async run({ config, args, print }) {
    const values = parseOptions(args, { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } })
    const benutzer = checkedName(values.name)
    const passwort = await readNewPassword({ fromStdin: values['password-stdin'] ?? false })
    await withAccounts(config, accounts => accounts.create({ benutzer, passwort }))
    print(`Das Benutzerkonto „${benutzer}“ ist angelegt.`)
  },
}
