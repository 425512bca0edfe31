/** What a command of the command line is. src/cli.ts lists them. */

import type { Text } from '../../base/language.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import type { Speech } from '../speech.ts'

export interface Command {
  /** What `fundus help <name>` shows. */
  help: Text
  /**
   * True: root stays root, because the command makes nothing in the data folder, or calls `becomeOwnerOf` by
   * itself. Other commands that root runs go on as the owner of the data folder.
   */
  asCaller?: boolean
  run(context: CommandContext): Promise<void>
}

export interface CommandContext {
  config: Config
  /** The words that were typed behind the command's name. */
  args: string[]
  /** In the language of the person who typed the command. */
  speech: Speech
  /** Writes a line to standard output. */
  print(text: string): void
  /**
   * Writes to standard error, which holds everything that is not the result: progress, warnings, questions.
   */
  complain(text: string): void
  /** False once nobody reads standard output any more, as behind `| head -1`. */
  isRead(): boolean
  /** Everything that comes through standard input. */
  readInput(): Promise<string>
  /** Warnings and errors of the parts that the command uses; goes to standard error. */
  log: Log
  /** From now on a service on the same machine goes before this process. */
  giveWay(): void
  /** From now on this process, if root has started it, is one of the owner of this folder. */
  becomeOwnerOf(folder: string): void
  /** The problems have been printed already: the exit code is `code` (1), without a further sentence. */
  fail(code?: number): void
}

/** What is shown to the person is one sentence, in the language of the system. */
class Told extends Error {
  constructor(
    message: string,
    readonly english: string,
  ) {
    super(message)
  }
}

/** The command cannot run as it was typed; the exit code is 2. */
export class UsageError extends Told {}

/** The command ran and did not succeed; the exit code is 1. */
export class CommandFailure extends Told {}
