/** The messages for a backup, restore or migration that failed. */
import { BackupTrouble, CommandRefusal } from '../../errors/errors.ts'
import { CommandFailure, UsageError } from './command.ts'

export function commandErrorOf(error: unknown): unknown {
  if (!(error instanceof BackupTrouble)) return error
  const { sentence, english } = error
  return error instanceof CommandRefusal
    ? new UsageError(sentence, english)
    : new CommandFailure(sentence, english)
}
