/** `fundus user …`: changes role and folders, ends sessions, resets the second factor, invites. */
import type { TextPair } from '../../../base/language.ts'
import { accountFolders } from '../../../contract/accounts/account-folders.ts'
import { ROLES, type Role } from '../../../contract/accounts/roles.ts'
import { invitationLink } from '../../../contract/accounts/setup-link.ts'
import { INVITATION_DEFAULT_DAYS, INVITATION_MAX_DAYS } from '../../../contract/values/input-limits.ts'
import { type Command, UsageError } from '../command.ts'
import { withAccounts, withInvitations } from '../open-features.ts'
import { parseOptions } from '../options.ts'
import { readUserName } from './user-input.ts'

export const RIGHTS_OPTIONS = {
  role: { type: 'string' },
  folder: { type: 'string', multiple: true },
} as const

export const RIGHTS_HELP: TextPair = [
  `  --role <Rolle>      betreiber (darf alles), redaktion (Dateien, Papierkorb, Freigaben) oder
                      ansicht (ansehen, suchen, herunterladen)
  --folder <Ordner>   nur dieser Ordner mit seinen Unterordnern; mehrfach für mehrere, nicht für betreiber`,
  `  --role <role>       betreiber (operator: may do everything), redaktion (editor: files, trash, shares) or
                      ansicht (viewer: look, search, download)
  --folder <folder>   only this folder with its subfolders; repeat it for several, not for betreiber`,
]

export function readRole(role: string): Role {
  const knownRole = ROLES.find(candidate => candidate === role)
  if (knownRole) return knownRole
  throw new UsageError(`--role muss ${ROLES.join(', ')} sein.`, `--role must be one of ${ROLES.join(', ')}.`)
}

export function readFolders(typedFolders: readonly string[] | undefined): string[] | null {
  const parsedFolders = accountFolders.safeParse(typedFolders ?? null)
  if (!parsedFolders.success)
    throw new UsageError(
      `--folder ${parsedFolders.error.issues[0]?.message}.`,
      '--folder must be the path of a folder in the library, and not too many of them.',
    )
  return parsedFolders.data
}

export const roleCommand: Command = {
  help: [
    `fundus user role --name <Name> [--role <Rolle>] [--folder <Ordner>]… [--all-folders]

  Ändert Rolle und Ordner eines Kontos und beendet seine Sitzungen. Was nicht genannt ist, bleibt.

  --name <Name>       welches Konto
${RIGHTS_HELP[0]}
  --all-folders       alle Ordner`,
    `fundus user role --name <name> [--role <role>] [--folder <folder>]… [--all-folders]

  Changes role and folders of an account and ends its sessions. What is not named stays.

  --name <name>       which account
${RIGHTS_HELP[1]}
  --all-folders       all folders`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    const options = {
      name: { type: 'string' },
      ...RIGHTS_OPTIONS,
      'all-folders': { type: 'boolean' },
    } as const
    const values = parseOptions(args, options)
    const name = readUserName(values.name)
    const hasAllFolders = values['all-folders'] ?? false
    if (values.role === undefined && values.folder === undefined && !hasAllFolders)
      throw new UsageError(
        'Es fehlt, was sich ändern soll: --role, --folder oder --all-folders.',
        'What to change is missing: --role, --folder or --all-folders.',
      )
    if (values.folder && hasAllFolders)
      throw new UsageError(
        '--folder und --all-folders gehen nicht zusammen.',
        '--folder and --all-folders cannot be combined.',
      )
    const patch = {
      ...(values.role !== undefined && { rolle: readRole(values.role) }),
      ...((values.folder || hasAllFolders) && { ordner: readFolders(values.folder) }),
    }
    const account = await withAccounts({ config, log }, async accounts =>
      accounts.change((await accounts.findByName(name)).id, patch),
    )
    const rights = rightsText(account)
    print(
      localize(
        `„${account.name}“ hat jetzt die Rechte: ${localize(...rights)}. Seine Sitzungen sind beendet.`,
        `“${account.name}” now has the rights: ${localize(...rights)}. Its sessions have ended.`,
      ),
    )
  },
}

/** The rights of an account in words, such as “redaktion, nur items, logos” in German. */
export const rightsText = ({ role, folders }: { role: Role; folders: readonly string[] | null }): TextPair =>
  folders === null
    ? [role, role]
    : [`${role}, nur ${folders.join(', ')}`, `${role}, only ${folders.join(', ')}`]

export const endSessionsCommand: Command = {
  help: [
    `fundus user sessions end --name <Name>

  Beendet alle Sitzungen des Kontos.

  --name <Name>       welches Konto`,
    `fundus user sessions end --name <name>

  Ends all sessions of the account.

  --name <name>       which account`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    const name = readUserName(parseOptions(args, { name: { type: 'string' } }).name)
    await withAccounts({ config, log }, async accounts =>
      accounts.change((await accounts.findByName(name)).id, {}),
    )
    print(localize(`Die Sitzungen von „${name}“ sind beendet.`, `The sessions of “${name}” have ended.`))
  },
}

export const resetFactorCommand: Command = {
  help: [
    `fundus user reset-factor --name <Name>

  Entfernt Authenticator-App, Notfallcodes und Passkeys des Kontos und beendet seine Sitzungen. Das Passwort bleibt.

  --name <Name>       welches Konto`,
    `fundus user reset-factor --name <name>

  Removes the authenticator app, emergency codes and passkeys of the account and ends its sessions. The password stays.

  --name <name>       which account`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    const name = readUserName(parseOptions(args, { name: { type: 'string' } }).name)
    const hadFactor = await withAccounts({ config, log }, async accounts =>
      accounts.resetFactors((await accounts.findByName(name)).id),
    )
    print(
      hadFactor
        ? localize(
            `Der zweite Faktor von „${name}“ ist entfernt; zum Anmelden genügt das Passwort.`,
            `The second factor of “${name}” is removed; the password alone signs in.`,
          )
        : localize(`„${name}“ hat keinen zweiten Faktor.`, `“${name}” has no second factor.`),
    )
  },
}

export const inviteCommand: Command = {
  help: [
    `fundus user invite --role <Rolle> [--folder <Ordner>]… [--days <Tage>] [--json]

  Macht einen Link, mit dem eine Person einmal ein Konto mit diesen Rechten anlegt. Er wird nur jetzt gezeigt.

${RIGHTS_HELP[0]}
  --days <Tage>       wie lange der Link gilt, höchstens ${INVITATION_MAX_DAYS} (${INVITATION_DEFAULT_DAYS})
  --json              Ausgabe als JSON`,
    `fundus user invite --role <role> [--folder <folder>]… [--days <days>] [--json]

  Makes a link with which a person makes an account with these rights, once. It is shown only now.

${RIGHTS_HELP[1]}
  --days <days>       how long the link is valid, at most ${INVITATION_MAX_DAYS} (${INVITATION_DEFAULT_DAYS})
  --json              output as JSON`,
  ],

  async run({ config, log, args, formatter: { localize, formatTime }, print }) {
    const options = { ...RIGHTS_OPTIONS, days: { type: 'string' }, json: { type: 'boolean' } } as const
    const values = parseOptions(args, options)
    const input = {
      rolle: readRole(values.role ?? ''),
      ordner: readFolders(values.folder),
      gueltig_tage: readDays(values.days),
    }
    const { id, address, validUntil } = await withInvitations(
      { config, log },
      async (invitations, publicUrl) => {
        const { id, code, expires_at } = await invitations.create(input)
        return { id, address: invitationLink(publicUrl, code), validUntil: expires_at }
      },
    )
    if (values.json) print(JSON.stringify({ id, address, validUntil }))
    else
      print(
        `${localize(`Einladung, gültig bis ${formatTime(validUntil)}, einmal:`, `Invitation, valid until ${formatTime(validUntil)}, once:`)}\n${address}`,
      )
  },
}

function readDays(typedDays: string | undefined): number {
  const days = typedDays === undefined ? INVITATION_DEFAULT_DAYS : Number(typedDays)
  if (Number.isInteger(days) && days >= 1 && days <= INVITATION_MAX_DAYS) return days
  throw new UsageError(
    `--days muss eine ganze Zahl von 1 bis ${INVITATION_MAX_DAYS} sein.`,
    `--days must be a whole number from 1 to ${INVITATION_MAX_DAYS}.`,
  )
}
