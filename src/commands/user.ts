/** `fundus user …`: creates, lists and deletes accounts, and sets a new password, which lifts the locks of the account. */
import type { Command } from './command.ts'
import { withAccounts } from './open-features.ts'
import { parseOptions } from './options.ts'
import { shortTime } from './printing.ts'
import { checkedName, PASSWORD_HELP, readNewPassword } from './user-input.ts'

const create: Command = {
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

const list: Command = {
  help: `fundus user list [--json]

  --json              Ausgabe als JSON`,

  async run({ config, log, args, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const rows = await withAccounts({ config, log }, ({ list }) => list())
    const accounts = rows.map(({ id, name, created_at: createdAt, signed_in_at: signedInAt }) => ({
      ...{ id, name, createdAt, signedInAt },
    }))
    if (json) return print(JSON.stringify(accounts))
    if (accounts.length === 0) print('Es gibt noch kein Benutzerkonto.')
    for (const { name, createdAt, signedInAt } of accounts) {
      const last = signedInAt === null ? 'noch nie angemeldet' : `zuletzt angemeldet ${shortTime(signedInAt)}`
      print(`${name.padEnd(24)} angelegt ${shortTime(createdAt)}, ${last}`)
    }
  },
}

const password: Command = {
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

const remove: Command = {
  help: `fundus user delete --name <Name>

  Beendet auch alle Sitzungen des Kontos. Das letzte Konto bleibt.

  --name <Name>       welches Konto`,

  async run({ config, log, args, print }) {
    const name = checkedName(parseOptions(args, { name: { type: 'string' } }).name)
    await withAccounts({ config, log }, async accounts => accounts.remove((await accounts.byName(name)).id))
    print(`Das Benutzerkonto „${name}“ ist gelöscht.`)
  },
}

export const commands = { create, list, password, delete: remove }
