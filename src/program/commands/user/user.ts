/**
 * `fundus user …`: the commands that create, list and delete accounts and set a new password. A new password
 * also ends the sessions of the account, lifts its login locks and removes its second factors. The other
 * `user` commands are in `user-rights.ts`; `commands` at the end of this file lists all of them.
 */
import type { Command } from '../command.ts'
import { withAccounts } from '../open-features.ts'
import { parseOptions } from '../options.ts'
import { PASSWORD_HELP, readNewPassword, readUserName } from './user-input.ts'
import {
  endSessionsCommand,
  inviteCommand,
  RIGHTS_HELP,
  RIGHTS_OPTIONS,
  readFolders,
  readRole,
  resetFactorCommand,
  rightsText,
  roleCommand,
} from './user-rights.ts'

const createCommand: Command = {
  help: [
    `fundus user create --name <Name> [--role <Rolle>] [--folder <Ordner>]… [--password-stdin]

  „fundus user add“ ist dasselbe. Ohne --role entsteht ein Betreiberkonto.

  --name <Name>       wie sich die Person anmeldet
${RIGHTS_HELP[0]}
${PASSWORD_HELP[0]}`,
    `fundus user create --name <name> [--role <role>] [--folder <folder>]… [--password-stdin]

  “fundus user add” is the same. Without --role it makes an operator.

  --name <name>       how the person signs in
${RIGHTS_HELP[1]}
${PASSWORD_HELP[1]}`,
  ],

  async run({ config, log, args, formatter: { localize }, print, readInput }) {
    const options = {
      name: { type: 'string' },
      ...RIGHTS_OPTIONS,
      'password-stdin': { type: 'boolean' },
    } as const
    const values = parseOptions(args, options)
    const benutzer = readUserName(values.name)
    const rights = { rolle: readRole(values.role ?? 'betreiber'), ordner: readFolders(values.folder) }
    const passwort = await readNewPassword(readInput, {
      fromStdin: values['password-stdin'] ?? false,
      localize,
    })
    await withAccounts({ config, log }, accounts => accounts.create({ benutzer, passwort, ...rights }))
    print(localize(`Das Benutzerkonto „${benutzer}“ ist angelegt.`, `The account “${benutzer}” is made.`))
  },
}

const listCommand: Command = {
  help: [
    `fundus user list [--json]

  --json              Ausgabe als JSON`,
    `fundus user list [--json]

  --json              output as JSON`,
  ],

  async run({ config, log, args, formatter: { localize, formatTime }, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const rows = await withAccounts({ config, log }, ({ list }) => list())
    const accounts = rows.map(({ id, name, role, folders, created_at, signed_in_at }) => ({
      id,
      name,
      role,
      folders,
      createdAt: created_at,
      signedInAt: signed_in_at,
    }))
    if (json) return print(JSON.stringify(accounts))
    if (accounts.length === 0) print(localize('Es gibt noch kein Benutzerkonto.', 'There is no account yet.'))
    for (const { createdAt, signedInAt, ...account } of accounts) {
      const createdText = formatTime(createdAt)
      const signedInText =
        signedInAt === null
          ? localize('noch nie angemeldet', 'never signed in')
          : localize(
              `zuletzt angemeldet ${formatTime(signedInAt)}`,
              `last signed in ${formatTime(signedInAt)}`,
            )
      const rights = localize(...rightsText(account))
      print(
        `${account.name.padEnd(24)} ${rights}; ${localize(`angelegt ${createdText}`, `made ${createdText}`)}, ${signedInText}`,
      )
    }
  },
}

const passwordCommand: Command = {
  help: [
    `fundus user password --name <Name> [--password-stdin]

  Beendet alle Sitzungen des Kontos, hebt seine Anmeldesperren auf und entfernt seinen zweiten Faktor samt Passkeys.

  --name <Name>       welches Konto
${PASSWORD_HELP[0]}`,
    `fundus user password --name <name> [--password-stdin]

  Ends all sessions of the account, lifts its locks and removes its second factor and passkeys.

  --name <name>       which account
${PASSWORD_HELP[1]}`,
  ],

  async run({ config, log, args, formatter: { localize }, print, readInput }) {
    const values = parseOptions(args, { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } })
    const name = readUserName(values.name)
    // The name is checked first, so that nobody types a password twice for an account that does not exist.
    await withAccounts({ config, log }, accounts => accounts.findByName(name))
    const password = await readNewPassword(readInput, {
      fromStdin: values['password-stdin'] ?? false,
      localize,
    })
    const { hadFactor } = await withAccounts({ config, log }, accounts =>
      accounts.resetPassword(name, password),
    )
    print(
      localize(
        `Das Passwort von „${name}“ ist gesetzt; seine Sitzungen sind beendet, seine Sperren aufgehoben.`,
        `The password of “${name}” is set; its sessions have ended, its locks are lifted.`,
      ),
    )
    if (hadFactor)
      print(
        localize(
          'Authenticator-App, Notfallcodes und Passkeys des Kontos sind entfernt: Zum Anmelden genügt das Passwort.',
          'The authenticator app, emergency codes and passkeys of the account are removed: the password alone signs in.',
        ),
      )
  },
}

const removeCommand: Command = {
  help: [
    `fundus user delete --name <Name>

  Beendet auch alle Sitzungen des Kontos. Das letzte Betreiberkonto bleibt.

  --name <Name>       welches Konto`,
    `fundus user delete --name <name>

  Also ends all sessions of the account. The last operator stays.

  --name <name>       which account`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    const name = readUserName(parseOptions(args, { name: { type: 'string' } }).name)
    await withAccounts({ config, log }, async accounts =>
      accounts.remove((await accounts.findByName(name)).id),
    )
    print(localize(`Das Benutzerkonto „${name}“ ist gelöscht.`, `The account “${name}” is deleted.`))
  },
}

export const commands = {
  create: createCommand,
  list: listCommand,
  password: passwordCommand,
  role: roleCommand,
  invite: inviteCommand,
  delete: removeCommand,
  'sessions end': endSessionsCommand,
  'reset-factor': resetFactorCommand,
}
