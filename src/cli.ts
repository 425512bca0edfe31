#!/usr/bin/env bun
/** Operators' commands: `fundus <command>`. */
import { check } from './commands/check.ts'
import { type Command, UsageError } from './commands/command.ts'
import { rebuild } from './commands/rebuild.ts'
import { settingsGet } from './commands/settings-get.ts'
import { settingsList } from './commands/settings-list.ts'
import { settingsSet } from './commands/settings-set.ts'
import { settingsUnset } from './commands/settings-unset.ts'
import { start } from './commands/start.ts'
import { sweep } from './commands/sweep.ts'
import { tokenCreate } from './commands/token-create.ts'
import { userCreate } from './commands/user-create.ts'
import { userDelete } from './commands/user-delete.ts'
import { userList } from './commands/user-list.ts'
import { userPassword } from './commands/user-password.ts'
import { ConfigError, readConfig } from './config.ts'
import { SettingError } from './features/settings/settings.ts'
import { VERSION } from './version.ts'

const COMMANDS: readonly Command[] = [
  start,
  tokenCreate,
  userCreate,
  userList,
  userPassword,
  userDelete,
  settingsList,
  settingsGet,
  settingsSet,
  settingsUnset,
  sweep,
  check,
  rebuild,
]

const HELP_OPTIONS = ['--help', '-h']

const overview = () =>
  [
    'Fundus – ein eigener Medienhost',
    '',
    ...COMMANDS.map(({ name, summary }) => `  fundus ${name.padEnd(16)} ${summary}`),
    '',
    'Mehr zu einem Befehl: fundus help <Befehl>',
  ].join('\n')

const find = (words: string[]) =>
  COMMANDS.find(({ name }) => name.split(' ').every((word, at) => words[at] === word))

async function run(words: string[]): Promise<void> {
  const print = (text: string) => {
    process.stdout.write(`${text}\n`)
  }
  if (words[0] === '--version') return print(VERSION)
  const asksForHelp =
    words.length === 0 || words[0] === 'help' || words.some(word => HELP_OPTIONS.includes(word))
  if (asksForHelp) {
    print(find(words[0] === 'help' ? words.slice(1) : words)?.help ?? overview())
    return
  }
  const command = find(words)
  if (!command) throw new UsageError(`Den Befehl „${words.join(' ')}“ gibt es nicht.\n\n${overview()}`)
  const args = words.slice(command.name.split(' ').length)
  await command.run({ config: readConfig(process.env), args, print })
}

try {
  await run(process.argv.slice(2))
  // 0, unless the command has set another one.
  process.exit()
} catch (error) {
  const expected =
    error instanceof UsageError || error instanceof ConfigError || error instanceof SettingError
  process.stderr.write(`fundus: ${expected ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exit(expected ? 2 : 1)
}
