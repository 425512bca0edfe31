/** `fundus token list`: prints the tokens, their limits and how much is stored with them. */
import { formatBytes } from '../contract/bytes.ts'
import type { TokenRecord } from '../features/tokens/tokens.ts'
import type { Command } from './command.ts'
import { withTokens } from './open-features.ts'
import { parseOptions } from './options.ts'
import { number, shortTime } from './printing.ts'

export const command: Command = {
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
