/** Turns errors inside commands into errors with a sentence for the operator. */
import { dataFolderErrorInCommand } from '../../adapters/data-folder.ts'
import type { Log } from '../../base/log.ts'
import { BackupTrouble, CommandRefusal } from '../../errors/errors.ts'
import { sentencePair } from '../../errors/failure.ts'
import { knownFailure } from '../../http/answers/render-error.ts'
import { CommandFailure, UsageError } from './command.ts'

/**
 * The error with which a command exits after a failed restore or migration. An error that is not a
 * `BackupTrouble` is returned unchanged.
 */
export function commandErrorOf(error: unknown): unknown {
  if (!(error instanceof BackupTrouble)) return error
  const { sentence, english } = error
  return error instanceof CommandRefusal
    ? new UsageError(sentence, english)
    : new CommandFailure(sentence, english)
}

/**
 * Returns the error to show for an error that a command threw: a known one becomes an error with a sentence
 * for the user, any other is returned unchanged.
 */
export function shownErrorOf({ dataDir, log }: { dataDir: string; log: Log }, error: unknown): unknown {
  const folderError = dataFolderErrorInCommand(dataDir, error)
  const knownError = folderError ? null : knownFailure(error)
  // The original error is logged as well, because the sentence does not name the file or request.
  if (knownError) log.error(knownError.code, { cause: error })
  return folderError ?? (knownError ? new CommandFailure(...sentencePair(knownError)) : error)
}
