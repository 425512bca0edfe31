/** `fundus token delete`: revokes a token; its files stay. */
import { createInterface } from 'node:readline/promises'
import { type Command, UsageError } from './command.ts'
import { withTokens } from './open-features.ts'
import { parseWords } from './options.ts'

export const command: Command = {
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
