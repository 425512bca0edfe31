/**
 * `fundus token …`: creates a token and prints it this one time, lists the tokens with their limits, revokes
 * a token.
 */
import { createInterface } from 'node:readline/promises'
import type { Say } from '../../base/language.ts'
import { newToken } from '../../contract/accounts/tokens.ts'
import { KINDS } from '../../contract/paths/kinds.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import type { TokenRecord } from '../../features/tokens/tokens.ts'
import type { Speech } from '../speech.ts'
import { type Command, UsageError } from './command.ts'
import { withTokens } from './open-features.ts'
import { parseOptions, parseWords } from './options.ts'

const OPTIONS = {
  name: { type: 'string' },
  prefix: { type: 'string' },
  'may-delete': { type: 'boolean' },
  'max-file': { type: 'string' },
  quota: { type: 'string' },
  kinds: { type: 'string' },
  'valid-until': { type: 'string' },
  'max-edge': { type: 'string' },
  'strip-exif': { type: 'string' },
  json: { type: 'boolean' },
} as const

/** The command-line option for each field of the contract. */
const OPTION_OF: Record<string, keyof typeof OPTIONS> = {
  name: 'name',
  praefix: 'prefix',
  max_datei: 'max-file',
  kontingent: 'quota',
  arten: 'kinds',
  gueltig_bis: 'valid-until',
  max_kante: 'max-edge',
  exif_entfernen: 'strip-exif',
}

/**
 * What the value of an option must be, in English; the German words stand beside the checks
 * (contract/accounts/tokens.ts).
 */
const RULES: Partial<Record<keyof typeof OPTIONS, string>> = {
  name: 'must be a name of one line that is not empty and not too long',
  prefix: 'is no valid path of a folder',
  'max-file': 'must be a whole number of bytes above zero',
  quota: 'must be a whole number of bytes above zero',
  kinds: `knows only ${KINDS.join(', ')}`,
  'valid-until': 'lies too far in the future or in the past',
  'max-edge': 'must be a whole number of pixels above zero',
}

const create: Command = {
  help: [
    `fundus token create --name <Name> [Grenzen]

  --name <Name>            wofür das Token ist, zum Beispiel der Name des Spielservers
  --prefix <Pfad>          darf nur darunter schreiben, zum Beispiel items/
  --may-delete             darf auch löschen
  --max-file <Bytes>       größte einzelne Datei
  --quota <Bytes>          so viel darf es insgesamt belegen
  --kinds <Liste>          nur diese Arten: ${KINDS.join(',')}
  --valid-until <Datum>    gilt bis dahin, zum Beispiel 2027-01-31 oder 2027-01-31T18:00
  --max-edge <Pixel>       größere Bilder werden verkleinert
  --strip-exif <yes|no>    Orts- und Kameradaten aus Bildern entfernen; sonst gilt EXIF_ENTFERNEN
  --json                   Ausgabe als JSON`,
    `fundus token create --name <name> [limits]

  --name <name>            what the token is for, for example the name of the game server
  --prefix <path>          may write only below it, for example items/
  --may-delete             may delete, too
  --max-file <bytes>       largest single file
  --quota <bytes>          so much it may take altogether
  --kinds <list>           only these kinds: ${KINDS.join(',')}
  --valid-until <date>     valid until then, for example 2027-01-31 or 2027-01-31T18:00
  --max-edge <pixels>      larger pictures are made smaller
  --strip-exif <yes|no>    remove place and camera data from pictures; otherwise EXIF_ENTFERNEN counts
  --json                   output as JSON`,
  ],

  async run({ config, log, args, speech, print }) {
    const values = parseOptions(args, OPTIONS)
    const limits = newToken.safeParse({
      name: values.name ?? '',
      praefix: values.prefix ?? null,
      darf_loeschen: values['may-delete'] ?? false,
      max_datei: numberOf(values['max-file']),
      kontingent: numberOf(values.quota),
      arten: values.kinds?.split(',').map(kind => kind.trim()) ?? null,
      gueltig_bis: dateOf(values['valid-until']),
      max_kante: numberOf(values['max-edge']),
      exif_entfernen: yesOrNo(values['strip-exif']),
    })
    if (!limits.success) {
      const [issue] = limits.error.issues
      const option = ownValue(OPTION_OF, String(issue?.path[0])) ?? 'name'
      throw new UsageError(
        `--${option} ${option === 'kinds' ? `kennt nur ${KINDS.join(', ')}` : issue?.message}.`,
        `--${option} ${RULES[option]}.`,
      )
    }
    const { token, clearText } = await withTokens({ config, log }, tokens => tokens.create(limits.data))
    if (values.json) print(JSON.stringify({ id: token.id, name: token.name, token: clearText }))
    else {
      const heading = speech.say(
        `Token „${token.name}“ – es wird nur dieses eine Mal gezeigt:`,
        `Token “${token.name}” – it is shown this once only:`,
      )
      print(`${heading}\n${clearText}`)
    }
  },
}

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))

function yesOrNo(text: string | undefined): boolean | null {
  if (text === undefined) return null
  if (!['yes', 'no', 'ja', 'nein'].includes(text))
    throw new UsageError('--strip-exif ist yes (ja) oder no (nein).', '--strip-exif is yes or no.')
  return text === 'yes' || text === 'ja'
}

function dateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  // JavaScript reads a date without a time as UTC; the operator means local midnight.
  const at = new Date(text.includes('T') ? text : `${text}T00:00`)
  // JavaScript turns the 31st of February into the 3rd of March, so the day is compared.
  const exists = !Number.isNaN(at.getTime()) && at.getDate() === Number(/^\d+-\d+-(\d+)/.exec(text)?.[1])
  if (!exists)
    throw new UsageError(
      '--valid-until ist kein Datum; gemeint ist etwa 2027-01-31.',
      '--valid-until is no date; it should be something like 2027-01-31.',
    )
  return at.getTime()
}

const list: Command = {
  help: [
    `fundus token list [--json]

  Das Token selbst steht nirgends mehr: gespeichert ist nur sein Hash. Vorn steht die Kennung für „token delete“.

  --json              Ausgabe als JSON`,
    `fundus token list [--json]

  The token itself is nowhere any more: only its hash is stored. In front is the id for “token delete”.

  --json              output as JSON`,
  ],

  async run({ config, log, args, speech, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const tokens = await withTokens({ config, log }, ({ list }) => list())
    if (json) return print(JSON.stringify(tokens))
    if (tokens.length === 0) return print(speech.say('Es gibt noch kein Token.', 'There is no token yet.'))
    for (const token of tokens) print(`${token.id}  ${token.name}\n${described(token, speech)}`)
  },
}

function described(token: TokenRecord, speech: Speech): string {
  const { say, number, time, bytes } = speech
  const made = time(token.createdAt)
  const used =
    token.usedAt === null
      ? say('noch nie benutzt', 'never used')
      : say(`zuletzt benutzt ${time(token.usedAt)}`, `last used ${time(token.usedAt)}`)
  const files =
    token.files === 1
      ? say('1 Datei', '1 file')
      : say(`${number(token.files)} Dateien`, `${number(token.files)} files`)
  return [
    `    ${say(`angelegt ${made}`, `made ${made}`)}, ${used}; ${files}, ${bytes(token.bytes)}`,
    `    ${limitsOf(token, speech).join(', ')}`,
  ].join('\n')
}

function limitsOf(token: TokenRecord, { say, bytes, time }: Speech): string[] {
  const { prefix, mayDelete, maxFile, quota, kinds, validUntil, maxEdge, stripMetadata } = token
  const metadata = (strip: boolean) =>
    strip
      ? say('Orts- und Kameradaten werden entfernt', 'place and camera data are removed')
      : say('Orts- und Kameradaten werden behalten', 'place and camera data are kept')
  return [
    prefix !== null && say(`nur unter ${prefix}`, `only below ${prefix}`),
    mayDelete ? say('darf löschen', 'may delete') : say('darf nicht löschen', 'may not delete'),
    maxFile !== null && say(`Datei bis ${bytes(maxFile)}`, `files up to ${bytes(maxFile)}`),
    quota !== null && say(`zusammen bis ${bytes(quota)}`, `up to ${bytes(quota)} altogether`),
    kinds !== null && say(`nur ${kinds.join(', ')}`, `only ${kinds.join(', ')}`),
    validUntil !== null && say(`gilt bis ${time(validUntil)}`, `valid until ${time(validUntil)}`),
    maxEdge !== null && say(`Bilder bis ${maxEdge} Pixel`, `pictures up to ${maxEdge} pixels`),
    stripMetadata !== null && metadata(stripMetadata),
  ].filter(limit => limit !== false)
}

const remove: Command = {
  help: [
    `fundus token delete <Kennung> [--yes]

  Programme, die das Token benutzen, bekommen ab sofort 401. Die Kennung zeigt „fundus token list“.

  --yes                    nicht nachfragen`,
    `fundus token delete <id> [--yes]

  Programs that use the token get 401 from now on. “fundus token list” shows the id.

  --yes                    do not ask`,
  ],

  async run({ config, log, args, speech: { say }, print }) {
    const { values, positionals } = parseWords(args, { yes: { type: 'boolean' } }, 1)
    const [id] = positionals
    if (id === undefined)
      throw new UsageError(
        'Es fehlt die Kennung des Tokens; „fundus token list“ zeigt sie.',
        'The id of the token is missing; “fundus token list” shows it.',
      )
    const { name } = await withTokens({ config, log }, tokens => tokens.get(id))
    if (!values.yes) await confirm(say(`Das Token „${name}“ widerrufen?`, `Revoke the token “${name}”?`), say)
    await withTokens({ config, log }, tokens => tokens.withdraw(id))
    print(say(`Das Token „${name}“ ist widerrufen.`, `The token “${name}” is revoked.`))
  },
}

/** Throws unless the operator answers yes. Without a terminal only `--yes` counts. */
async function confirm(question: string, say: Say): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      'Ohne Terminal braucht dieser Befehl --yes.',
      'Without a terminal this command needs --yes.',
    )
  // The question goes to standard error, so that it is not part of the command's output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} ${say('[j/N]', '[y/N]')} `)
  terminal.close()
  if (!/^(j|ja|y|yes)$/i.test(answer.trim()))
    throw new UsageError('Abgebrochen; nichts wurde geändert.', 'Cancelled; nothing was changed.')
}

export const commands = { create, list, delete: remove }
