/** What a command of the command line is. */
import type { Config } from '../config.ts'

export interface Command {
  /** As typed: `token create`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Everything else that `fundus help <name>` shows. */
  help: string
  run(context: CommandContext): Promise<void>
}

export interface CommandContext {
  config: Config
  /** What was typed behind the command's name. */
  args: string[]
  print(text: string): void
}

/** A call that cannot be carried out as it was typed; shown as one sentence. */
export class UsageError extends Error {}

/** What was asked for could be tried and did not succeed; shown as one sentence, and the exit code is 1. */
export class CommandFailure extends Error {}
