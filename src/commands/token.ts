/** `fundus token …`: creates a token and prints it this one time, lists the tokens with their limits, revokes a token. */
import { createInterface } from 'node:readline/promises'
import { formatBytes } from '../contract/bytes.ts'
import { KINDS } from '../contract/kinds.ts'
import { newToken } from '../contract/tokens.ts'
import type { TokenRecord } from '../features/tokens/tokens.ts'
import { type Command, UsageError } from './command.ts'
import { withTokens } from './open-features.ts'
import { parseOptions, parseWords } from './options.ts'
import { number, shortTime } from './printing.ts'

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

const create: Command = {
  help: `fundus token create --name <Name> [Grenzen]

  --name <Name>            wofür das Token ist, zum Beispiel der Name des Spielservers
  --prefix <Pfad>          darf nur darunter schreiben, zum Beispiel items/
  --may-delete             darf auch löschen
  --max-file <Bytes>       größte einzelne Datei
  --quota <Bytes>          so viel darf es insgesamt belegen
  --kinds <Liste>          nur diese Arten: ${KINDS.join(',')}
  --valid-until <Datum>    gilt bis dahin, zum Beispiel 2027-01-31 oder 2027-01-31T18:00
  --max-edge <Pixel>       größere Bilder werden verkleinert
  --strip-exif <ja|nein>   Orts- und Kameradaten aus Bildern entfernen; sonst gilt EXIF_ENTFERNEN
  --json                   Ausgabe als JSON`,

  async run({ config, log, args, print }) {
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
      const option = OPTION_OF[String(issue?.path[0])]
      throw new UsageError(
        `--${option} ${option === 'kinds' ? `kennt nur ${KINDS.join(', ')}` : issue?.message}.`,
      )
    }
    const { token, clearText } = await withTokens({ config, log }, tokens => tokens.create(limits.data))
    if (values.json) print(JSON.stringify({ id: token.id, name: token.name, token: clearText }))
    else print(`Token „${token.name}“ – es wird nur dieses eine Mal gezeigt:\n${clearText}`)
  },
}

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))

function yesOrNo(text: string | undefined): boolean | null {
  if (text === undefined) return null
  if (text !== 'ja' && text !== 'nein') throw new UsageError('--strip-exif ist ja oder nein.')
  return text === 'ja'
}

function dateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  // JavaScript reads a date without a time as UTC; the operator means local midnight.
  const at = new Date(text.includes('T') ? text : `${text}T00:00`)
  // JavaScript turns the 31st of February into the 3rd of March, so the day is compared.
  const exists = !Number.isNaN(at.getTime()) && at.getDate() === Number(/^\d+-\d+-(\d+)/.exec(text)?.[1])
  if (!exists) throw new UsageError('--valid-until ist kein Datum; gemeint ist etwa 2027-01-31.')
  return at.getTime()
}

const list: Command = {
  help: `fundus token list [--json]

  Das Token selbst steht nirgends mehr: gespeichert ist nur sein Hash. Vorn steht die Kennung für „token delete“.

  --json              Ausgabe als JSON`,

  async run({ config, log, args, print }) {
    const { json } = parseOptions(args, { json: { type: 'boolean' } })
    const tokens = await withTokens({ config, log }, ({ list }) => list())
    if (json) return print(JSON.stringify(tokens))
    if (tokens.length === 0) return print('Es gibt noch kein Token.')
    for (const token of tokens) print(`${token.id}  ${token.name}\n${described(token)}`)
  },
}

function described(token: TokenRecord): string {
  const used = token.usedAt === null ? 'noch nie benutzt' : `zuletzt benutzt ${shortTime(token.usedAt)}`
  const files = `${number(token.files)} ${token.files === 1 ? 'Datei' : 'Dateien'}`
  return [
    `    angelegt ${shortTime(token.createdAt)}, ${used}; ${files}, ${formatBytes(token.bytes)}`,
    `    ${limitsOf(token).join(', ')}`,
  ].join('\n')
}

function limitsOf(token: TokenRecord): string[] {
  return [
    token.prefix !== null && `nur unter ${token.prefix}`,
    token.mayDelete ? 'darf löschen' : 'darf nicht löschen',
    token.maxFile !== null && `Datei bis ${formatBytes(token.maxFile)}`,
    token.quota !== null && `zusammen bis ${formatBytes(token.quota)}`,
    token.kinds !== null && `nur ${token.kinds.join(', ')}`,
    token.validUntil !== null && `gilt bis ${shortTime(token.validUntil)}`,
    token.maxEdge !== null && `Bilder bis ${token.maxEdge} Pixel`,
    token.stripMetadata !== null &&
      `Orts- und Kameradaten werden ${token.stripMetadata ? 'entfernt' : 'behalten'}`,
  ].filter(limit => limit !== false)
}

const remove: Command = {
  help: `fundus token delete <Kennung> [--yes]

  Programme, die das Token benutzen, bekommen ab sofort 401. Die Kennung zeigt „fundus token list“.

  --yes                    nicht nachfragen`,

  async run({ config, log, args, print }) {
    const { values, positionals } = parseWords(args, { yes: { type: 'boolean' } }, 1)
    const [id] = positionals
    if (id === undefined)
      throw new UsageError('Es fehlt die Kennung des Tokens; „fundus token list“ zeigt sie.')
    const { name } = await withTokens({ config, log }, tokens => tokens.get(id))
    await confirm(`Das Token „${name}“ widerrufen?`, values.yes)
    await withTokens({ config, log }, tokens => tokens.withdraw(id))
    print(`Das Token „${name}“ ist widerrufen.`)
  },
}

/** Throws unless the operator answers yes or gave `--yes` (`yes`). Without a terminal only `--yes` counts. */
async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError('Ohne Terminal braucht dieser Befehl --yes.')
  // The question goes to standard error, so that it is not part of the command's output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [j/N] `)
  terminal.close()
  if (!/^(j|ja|y|yes)$/i.test(answer.trim())) throw new UsageError('Abgebrochen; nichts wurde geändert.')
}

export const commands = { create, list, delete: remove }
