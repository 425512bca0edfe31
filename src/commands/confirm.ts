/** Asks before something is done that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import { UsageError } from './command.ts'

export const YES_HELP = '  --yes                    nicht nachfragen'

/** Throws unless the person says yes, or said so beforehand. Where nobody can be asked, only the latter counts. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new UsageError('Ohne Terminal braucht dieser Befehl --yes.')
  // On standard error, so that the question is not part of what the command prints.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [j/N] `)
  terminal.close()
  if (!/^(j|ja|y|yes)$/i.test(answer.trim())) throw new UsageError('Abgebrochen; nichts wurde geändert.')
}
