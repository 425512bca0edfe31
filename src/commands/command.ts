/** What a command of the command line is. */
import type { Config } from '../config.ts'

export interface Command {
  /** The name as it is typed, for example `token create`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Everything else that `fundus help <name>` shows. */
  help: string
  run(context: CommandContext): Promise<void>
}

export interface CommandContext {
  config: Config
  /** The words that were typed behind the command's name. */
  args: string[]
  print(text: string): void
}

/** The command cannot run as it was typed; shown as one sentence, and the exit code is 2. */
export class UsageError extends Error {}

/** The command ran and did not succeed; shown as one sentence, and the exit code is 1. */
export class CommandFailure extends Error {}
