/** The interface of a command. src/program/command-line.ts lists all commands. */

import { SentenceError, type TextPair } from '../../base/language.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import type { Formatter } from '../formatter.ts'
import type { createProgress, ProgressUnit } from './progress.ts'

export interface Command {
  /** The text that `fundus help <name>` prints. */
  help: TextPair
  /**
   * If true and root runs the command, it continues as root. This is set for commands that create nothing in
   * the data folder or call `becomeOwnerOf` themselves, and for the service, which runs as the user who
   * started it. Any other command that root runs continues as the owner of the data folder.
   */
  keepsUser?: boolean
  run(context: CommandContext): Promise<void>
}

export interface CommandContext {
  config: Config
  /** The words after the name of the command. */
  args: string[]
  /** Formats texts, numbers and times in the user's language. */
  formatter: Formatter
  /** Writes a line to standard output. */
  print(text: string): void
  /** Writes to standard error, for everything but the result: progress, warnings, questions. */
  printToStderr(text: string): void
  /** Whether somebody still reads standard output; false, for example, once `head -1` has its line. */
  isOutputRead(): boolean
  readInput(): Promise<string>
  /** The log of the modules that the command uses: their warnings and errors go to standard error. */
  log: Log
  /** Shows the progress of a long command, in bytes unless `unit` is given. */
  startProgress(german: string, english: string, unit?: ProgressUnit): ReturnType<typeof createProgress>
  /** Lowers the priority of this process below that of a service. */
  lowerOwnPriority(): void
  /**
   * If this process runs as root, it continues as the owner of the folder. Does nothing if the folder does
   * not exist, or its owner is root or cannot reach it.
   */
  becomeOwnerOf(folder: string): void
  /** Sets the exit code (default: 1). For a command that has already printed the problems. */
  fail(code?: number): void
}

/** The command cannot run as typed, or not in the present state; exit code 2. */
export class UsageError extends SentenceError {}

/** The command failed; exit code 1. */
export class CommandFailure extends SentenceError {}
