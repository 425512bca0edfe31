/**
 * The errors of backup, restore, the rehearsal of a restore, and `migrate`, for reports, the chat webhook and
 * the terminal. API clients get them only as part of a report.
 */
import { formatBytes } from '../contract/values/bytes.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { ENGLISH_SENTENCES } from '../contract/words/english.ts'
import { createErrors, type ErrorEntries } from './failure.ts'

export class BackupTrouble extends Error {
  constructor(
    readonly sentence: string,
    options?: ErrorOptions,
    /**
     * The code, for programs and for the dashboard, which has its own translations. Empty for errors that
     * only a command reports.
     */
    readonly code = '',
    /**
     * The English sentence, for the terminal. Default: the one of the code in `ENGLISH_SENTENCES`, or else
     * the German one.
     */
    readonly english = ownValue(ENGLISH_SENTENCES, code) ?? sentence,
  ) {
    super(sentence, options)
    this.name = 'BackupTrouble'
  }
}

/** Thrown if a command cannot run with these arguments or at this time. Nothing was changed. */
export class CommandRefusal extends BackupTrouble {}

/**
 * Turns each entry into a function that creates an error. `prefix`: the beginning of the errors' codes; null:
 * the errors have no codes.
 */
export const backupErrors = <E extends ErrorEntries>(
  prefix: string | null,
  entries: E,
  ErrorClass = BackupTrouble,
) =>
  createErrors(
    entries,
    (code, { sentence, english, cause }) =>
      new ErrorClass(sentence, { cause }, prefix === null ? '' : prefix + code, english),
  )

export const shortNameList = (names: readonly string[]) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''}`

export const englishBytes = (bytes: number) => formatBytes(bytes, 'en')
