#!/usr/bin/env bun
/** The command line for operators: `fundus <command>`. */
import { backup } from './commands/backup.ts'
import { check } from './commands/check.ts'
import { type Command, CommandFailure, UsageError } from './commands/command.ts'
import { rebuild } from './commands/rebuild.ts'
import { restore } from './commands/restore.ts'
import { settingsGet } from './commands/settings-get.ts'
import { settingsList } from './commands/settings-list.ts'
import { settingsSet } from './commands/settings-set.ts'
import { settingsUnset } from './commands/settings-unset.ts'
import { start } from './commands/start.ts'
import { sweep } from './commands/sweep.ts'
import { tokenCreate } from './commands/token-create.ts'
import { tokenDelete } from './commands/token-delete.ts'
import { tokenList } from './commands/token-list.ts'
import { userCreate } from './commands/user-create.ts'
import { userDelete } from './commands/user-delete.ts'
import { userList } from './commands/user-list.ts'
import { userPassword } from './commands/user-password.ts'
import { ConfigError, readConfig } from './config.ts'
import { SettingError } from './features/settings/settings.ts'
import { VERSION } from './version.ts'

/** The commands as the overview lists them, in the order in which a new instance needs them. */
const GROUPS: readonly { title: string; commands: readonly Command[] }[] = [
  { title: 'Dienst', commands: [start] },
  { title: 'Benutzerkonten', commands: [userCreate, userList, userPassword, userDelete] },
  { title: 'Tokens', commands: [tokenCreate, tokenList, tokenDelete] },
  { title: 'Einstellungen', commands: [settingsList, settingsGet, settingsSet, settingsUnset] },
  { title: 'Sicherung', commands: [backup, restore] },
  { title: 'Pflege', commands: [check, rebuild, sweep] },
]

const COMMANDS = GROUPS.flatMap(({ commands }) => commands)

const HELP_OPTIONS = ['--help', '-h']

const line = ({ name, summary }: Command) => `  fundus ${name.padEnd(16)} ${summary}`

const overview = () =>
  [
    'Fundus – ein eigener Medienhost',
    ...GROUPS.flatMap(({ title, commands }) => ['', title, ...commands.map(line)]),
    '',
    'Mehr zu einem Befehl: fundus help <Befehl>          Version: fundus --version',
    '',
    'Jeder Befehl arbeitet auf dem Ordner DATA_DIR (./data).',
    'Rückgabewert: 0 gelungen, 1 misslungen, 2 so nicht ausführbar (der Satz dazu sagt, warum).',
  ].join('\n')

const find = (words: string[]) =>
  COMMANDS.find(({ name }) => name.split(' ').every((word, at) => words[at] === word))

/** The help on one command, on all commands that begin with a word such as `token`, or on all commands. */
function helpOn(words: string[]): string {
  const [first] = words
  if (first === undefined) return overview()
  const help = find(words)?.help ?? beginningWith(first)
  if (help === null) throw unknown(words)
  return help
}

/** The lines of all commands that begin with this word; null when no command does. */
function beginningWith(word: string | undefined): string | null {
  const commands = COMMANDS.filter(({ name }) => name.split(' ')[0] === word)
  return commands.length === 0 ? null : commands.map(line).join('\n')
}

function unknown(words: string[]): UsageError {
  const begun = words.length === 1 ? beginningWith(words[0]) : null
  if (begun !== null) return new UsageError(`Zu „${words[0]}“ fehlt noch ein Wort.\n\n${begun}`)
  return new UsageError(
    `Den Befehl „${words.join(' ')}“ gibt es nicht.\n\n${beginningWith(words[0]) ?? overview()}`,
  )
}

async function run(words: string[]): Promise<void> {
  const print = (text: string) => {
    process.stdout.write(`${text}\n`)
  }
  if (words[0] === '--version') return print(VERSION)
  if (words.length === 0 || words[0] === 'help') return print(helpOn(words.slice(1)))
  if (words.some(word => HELP_OPTIONS.includes(word)))
    return print(helpOn(words.filter(word => !word.startsWith('-'))))
  const command = find(words)
  if (!command) throw unknown(words)
  const args = words.slice(command.name.split(' ').length)
  await command.run({ config: readConfig(process.env), args, print })
}

try {
  await run(process.argv.slice(2))
  // The exit code is 0 unless the command has set another one.
  process.exit()
} catch (error) {
  const misused = error instanceof UsageError || error instanceof ConfigError || error instanceof SettingError
  const told = misused || error instanceof CommandFailure
  process.stderr.write(`fundus: ${told ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exit(misused ? 2 : 1)
}
