/** `fundus token …`: creates a token and prints it once, lists tokens with their limits, revokes a token. */
import { createInterface } from 'node:readline/promises'
import type { PickText } from '../../base/language.ts'
import { byLimitName, TOKEN_LIMITS } from '../../contract/accounts/token-limits.ts'
import { newToken } from '../../contract/accounts/tokens.ts'
import type { TokenRecord } from '../../features/tokens/tokens.ts'
import type { Formatter } from '../formatter.ts'
import { type Command, UsageError } from './command.ts'
import { withTokens } from './open-features.ts'
import { parseOptions, parseWords } from './options.ts'
import { describeLimits, LIMIT_OPTIONS, limitRefusal, limitsHelp, parseLimit } from './token-limits.ts'

const OPTIONS = {
  name: { type: 'string' },
  ...LIMIT_OPTIONS,
  json: { type: 'boolean' },
} as const

const createCommand: Command = {
  help: [
    `fundus token create --name <Name> [Grenzen]

  --name <Name>            wofür das Token ist, zum Beispiel der Name des Spielservers
${limitsHelp('de')}
  --json                   Ausgabe als JSON`,
    `fundus token create --name <name> [limits]

  --name <name>            what the token is for, for example the name of the game server
${limitsHelp('en')}
  --json                   output as JSON`,
  ],

  async run({ config, log, args, formatter, print }) {
    const { name, json, ...typedLimits } = parseOptions(args, OPTIONS)
    const parsedToken = newToken.safeParse({
      name: name ?? '',
      ...byLimitName(limit => parseLimit(limit, typedLimits[limit.option])),
    })
    if (!parsedToken.success) throw refusalOf(parsedToken.error.issues[0])
    const { token, clearText } = await withTokens({ config, log }, tokens => tokens.create(parsedToken.data))
    if (json) print(JSON.stringify({ id: token.id, name: token.name, token: clearText }))
    else {
      const heading = formatter.localize(
        `Token „${token.name}“ – es wird nur dieses eine Mal gezeigt:`,
        `Token “${token.name}” – it is shown this once only:`,
      )
      print(`${heading}\n${clearText}`)
    }
  },
}

function refusalOf(issue: { path: PropertyKey[]; message: string } | undefined): UsageError {
  const limit = TOKEN_LIMITS.find(({ wireName }) => wireName === issue?.path[0])
  return limit
    ? limitRefusal(limit, issue?.message ?? '')
    : new UsageError(
        `--name ${issue?.message}.`,
        '--name must be a name of one line that is not empty and not too long.',
      )
}

const listCommand: Command = {
  help: [
    `fundus token list [--json]

  Das Token selbst steht nirgends mehr: gespeichert ist nur sein Hash. Vorn steht die Kennung für „token delete“.

  --json              Ausgabe als JSON`,
    `fundus token list [--json]

  The token itself is nowhere any more: only its hash is stored. In front is the id for “token delete”.

  --json              output as JSON`,
  ],

  async run({ config, log, args, formatter, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const tokens = await withTokens({ config, log }, ({ list }) => list())
    if (json) return print(JSON.stringify(tokens))
    if (tokens.length === 0)
      return print(formatter.localize('Es gibt noch kein Token.', 'There is no token yet.'))
    for (const token of tokens) print(`${token.id}  ${token.name}\n${tokenDetails(token, formatter)}`)
  },
}

function tokenDetails(token: TokenRecord, formatter: Formatter): string {
  const { localize, formatNumber, formatTime, formatSize } = formatter
  const createdText = formatTime(token.createdAt)
  const lastUsedText =
    token.usedAt === null
      ? localize('noch nie benutzt', 'never used')
      : localize(`zuletzt benutzt ${formatTime(token.usedAt)}`, `last used ${formatTime(token.usedAt)}`)
  const fileCountText =
    token.files === 1
      ? localize('1 Datei', '1 file')
      : localize(`${formatNumber(token.files)} Dateien`, `${formatNumber(token.files)} files`)
  return [
    `    ${localize(`angelegt ${createdText}`, `made ${createdText}`)}, ${lastUsedText}; ${fileCountText}, ${formatSize(token.bytes)}`,
    `    ${describeLimits(token, formatter).join(', ')}`,
  ].join('\n')
}

const removeCommand: Command = {
  help: [
    `fundus token delete <Kennung> [--yes]

  Programme, die das Token benutzen, bekommen ab sofort 401. Die Kennung zeigt „fundus token list“.

  --yes                    nicht nachfragen`,
    `fundus token delete <id> [--yes]

  Programs that use the token get 401 from now on. “fundus token list” shows the id.

  --yes                    do not ask`,
  ],

  async run({ config, log, args, formatter: { localize }, print }) {
    const { values, positionals } = parseWords(args, { yes: { type: 'boolean' } }, 1)
    const [id] = positionals
    if (id === undefined)
      throw new UsageError(
        'Es fehlt die Kennung des Tokens; „fundus token list“ zeigt sie.',
        'The id of the token is missing; “fundus token list” shows it.',
      )
    const { name } = await withTokens({ config, log }, tokens => tokens.get(id))
    if (!values.yes)
      await confirmOrThrow(
        localize(`Das Token „${name}“ widerrufen?`, `Revoke the token “${name}”?`),
        localize,
      )
    await withTokens({ config, log }, tokens => tokens.withdraw(id))
    print(localize(`Das Token „${name}“ ist widerrufen.`, `The token “${name}” is revoked.`))
  },
}

/**
 * Throws unless the operator answers yes. Always throws without a terminal: the command then needs `--yes`.
 */
async function confirmOrThrow(question: string, localize: PickText): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      'Ohne Terminal braucht dieser Befehl --yes.',
      'Without a terminal this command needs --yes.',
    )
  // The question is written to standard error, so that it is not part of the output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} ${localize('[j/N]', '[y/N]')} `)
  terminal.close()
  if (!/^(j|ja|y|yes)$/i.test(answer.trim()))
    throw new UsageError('Abgebrochen; nichts wurde geändert.', 'Cancelled; nothing was changed.')
}

export const commands = { create: createCommand, list: listCommand, delete: removeCommand }
