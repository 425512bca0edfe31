/** Asks the operator before a command does something that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from './command.ts'

export const YES_HELP = '  --yes                    nicht nachfragen'

/** Throws unless the operator answers yes or gave `--yes` (`yes`). Without a terminal only `--yes` counts. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError('Ohne Terminal braucht dieser Befehl --yes.')
  // The question goes to standard error, so that it is not part of the command's output.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [j/N] `)
  terminal.close()
  if (!/^(j|ja|y|yes)$/i.test(answer.trim())) throw new UsageError('Abgebrochen; nichts wurde geändert.')
}
