/** `fundus user list`: prints the accounts. */
import type { Command } from './command.ts'
import { withAccounts } from './open-features.ts'
import { parseOptions } from './options.ts'
import { shortTime } from './printing.ts'

export const command: Command = {
  help: `fundus user list [--json]

  --json              Ausgabe als JSON`,

  async run({ config, log, args, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const accounts = await withAccounts({ config, log }, ({ list }) => list())
    if (json) {
      print(
        JSON.stringify(
          accounts.map(({ id, name, createdAt, signedInAt }) => ({ id, name, createdAt, signedInAt })),
        ),
      )
      return
    }
    if (accounts.length === 0) print('Es gibt noch kein Benutzerkonto.')
    for (const { name, createdAt, signedInAt } of accounts) {
      const last = signedInAt === null ? 'noch nie angemeldet' : `zuletzt angemeldet ${shortTime(signedInAt)}`
      print(`${name.padEnd(24)} angelegt ${shortTime(createdAt)}, ${last}`)
    }
  },
}
