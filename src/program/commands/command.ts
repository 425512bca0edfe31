/** What a command is. src/program/command-line.ts lists them. */

import { SentenceError, type Text } from '../../base/language.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import type { Speech } from '../speech.ts'
import type { createProgress, ProgressUnit } from './progress.ts'

export interface Command {
  /** What `fundus help <name>` prints. */
  help: Text
  /**
   * True: root stays root, because the command creates nothing in the data folder, or calls `becomeOwnerOf`
   * itself. Other commands that root runs continue as the owner of the data folder.
   */
  asCaller?: boolean
  run(context: CommandContext): Promise<void>
}

export interface CommandContext {
  config: Config
  /** The words after the command's name. */
  args: string[]
  /** Formats texts, numbers and times in the user's language. */
  speech: Speech
  /** Writes a line to standard output. */
  print(text: string): void
  /** Writes to standard error, for everything but the result: progress, warnings, questions. */
  complain(text: string): void
  /** False once nobody reads standard output any more, as with `| head -1`. */
  isRead(): boolean
  readInput(): Promise<string>
  /** Warnings and errors of the parts that the command uses, on standard error. */
  log: Log
  /** Shows the progress of a long command, in bytes unless `unit` says otherwise. */
  startProgress(german: string, english: string, unit?: ProgressUnit): ReturnType<typeof createProgress>
  /** Lowers the priority of this process below that of a service. */
  lowerOwnPriority(): void
  /** If root started this process, it continues as the owner of this folder. */
  becomeOwnerOf(folder: string): void
  /** The problems have been printed: exits with `code` (1) without a further sentence. */
  fail(code?: number): void
}

/** The command cannot run as typed; exit code 2. */
export class UsageError extends SentenceError {}

/** The command failed; exit code 1. */
export class CommandFailure extends SentenceError {}
