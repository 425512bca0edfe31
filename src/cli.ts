#!/usr/bin/env bun
/** The command line for operators: `fundus <command>`. Loads only the command that was typed. */
import { type Command, CommandFailure, UsageError } from './commands/command.ts'
import { createLog } from './log.ts'
import { speaksEnglish } from './terminal.ts'
import { VERSION } from './version.ts'

/** The commands with one line each, as the overview lists them: in the order in which a new instance needs them. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Dienst: {
    start: 'startet den Dienst',
  },
  Benutzerkonten: {
    'user create': 'legt ein Benutzerkonto an',
    'user list': 'zeigt die Benutzerkonten',
    'user password': 'setzt ein Passwort neu und hebt Sperren auf',
    'user delete': 'löscht ein Benutzerkonto',
  },
  Tokens: {
    'token create': 'macht ein Token und zeigt es dieses eine Mal',
    'token list': 'zeigt die Tokens, ihre Grenzen und was mit ihnen gespeichert ist',
    'token delete': 'widerruft ein Token; seine Dateien bleiben',
  },
  Hochladen: {
    push: 'lädt einen Ordner zu einem laufenden Dienst hoch, von jedem Rechner aus',
    import: 'holt Dateien von anderswo in einen laufenden Dienst und nennt alte und neue Adressen',
  },
  Einstellungen: {
    'settings list': 'zeigt die Einstellungen und woher ihr Wert kommt',
    'settings get': 'zeigt den geltenden Wert einer Einstellung',
    'settings set': 'speichert eine Einstellung; sie gilt sofort, auch im laufenden Dienst',
    'settings unset': 'vergisst den gespeicherten Wert einer Einstellung',
  },
  Sicherung: {
    backup: 'sichert alles in ein Archiv, auch bei laufendem Dienst',
    restore: 'stellt einen Bestand aus einem Archiv der Sicherung wieder her',
    migrate: 'zieht aus einem Ordner nach PostgreSQL und Objektspeicher um, oder zurück',
  },
  Pflege: {
    doctor: 'sieht sich Rechner und Bestand an und sagt, was zu tun ist',
    check: 'prüft, ob Datenbank und Ablage zusammenpassen',
    rebuild: 'baut die Datenbank aus der Ablage neu auf',
    sweep: 'entfernt Objekte, auf die nichts mehr zeigt',
  },
}

const COMMANDS = Object.values(GROUPS).flatMap(group => Object.entries(group))

const HELP_OPTIONS = ['--help', '-h']

const line = ([name, summary]: [string, string]) => `  fundus ${name.padEnd(16)} ${summary}`

const overview = () =>
  [
    'Fundus – ein eigener Medienhost',
    ...Object.entries(GROUPS).flatMap(([title, group]) => ['', title, ...Object.entries(group).map(line)]),
    '',
    'Mehr zu einem Befehl: fundus help <Befehl>          Version: fundus --version',
    '',
    'Die Befehle arbeiten auf dem Ordner DATA_DIR (./data), oder auf DATABASE_URL und S3_*, wenn sie gesetzt sind;',
    'push und import brauchen nur Adresse und Token.',
    'Rückgabewert: 0 gelungen, 1 misslungen, 2 so nicht ausführbar (der Satz dazu sagt, warum).',
  ].join('\n')

/** The name of the command that was typed, for example `token create`. */
const find = (words: string[]) =>
  COMMANDS.map(([name]) => name).find(name => name.split(' ').every((word, at) => words[at] === word))

/** What a file of `commands/` exports: one command, or several under their second words. */
interface CommandFile {
  command: Command
  commands: Readonly<Record<string, Command>>
}

/** The first word names the file, the second word one of the commands in it. */
async function load(name: string): Promise<Command> {
  const [file, verb] = name.split(' ')
  const loaded: CommandFile = await import(`./commands/${file}.ts`)
  return verb === undefined ? loaded.command : loaded.commands[verb]!
}

/** The help on one command, on all commands that begin with a word such as `token`, or on all commands. */
async function helpOn(words: string[]): Promise<string> {
  const [first] = words
  if (first === undefined) return overview()
  const found = find(words)
  const help = found === undefined ? beginningWith(first) : (await load(found)).help
  if (help === null) throw unknown(words)
  return help
}

/** The lines of all commands that begin with this word; null when no command does. */
function beginningWith(word: string | undefined): string | null {
  const commands = COMMANDS.filter(([name]) => name.split(' ')[0] === word)
  return commands.length === 0 ? null : commands.map(line).join('\n')
}

function unknown(words: string[]): UsageError {
  const begun = words.length === 1 ? beginningWith(words[0]) : null
  if (begun !== null) return new UsageError(`Zu „${words[0]}“ fehlt noch ein Wort.\n\n${begun}`)
  return new UsageError(
    `Den Befehl „${words.join(' ')}“ gibt es nicht.\n\n${beginningWith(words[0]) ?? overview()}`,
  )
}

/** What the command line needs of the process in which it runs. */
export interface Surroundings {
  env: Record<string, string | undefined>
  /** Write to standard output and to standard error. */
  write(text: string): void
  complain(text: string): void
  readInput(): Promise<string>
}

/** Runs what was typed behind `fundus`; answers the exit code. Several may run at the same time in one process. */
export async function runCommandLine(words: string[], surroundings: Surroundings): Promise<number> {
  try {
    return await run(words, surroundings)
  } catch (error) {
    const misused = await isMisuse(error)
    const told = misused || error instanceof CommandFailure
    surroundings.complain(`fundus: ${told ? sentenceOf(error, surroundings.env) : stackOf(error)}\n`)
    return misused ? 2 : 1
  }
}

async function run(words: string[], { env, write, complain, readInput }: Surroundings): Promise<number> {
  const print = (text: string) => {
    write(`${text}\n`)
    return 0
  }
  if (words[0] === '--version') return print(VERSION)
  if (words.length === 0 || words[0] === 'help') return print(await helpOn(words.slice(1)))
  if (words.some(word => HELP_OPTIONS.includes(word)))
    return print(await helpOn(words.filter(word => !word.startsWith('-'))))
  const found = find(words)
  if (found === undefined) throw unknown(words)
  const { readConfig } = await import('./config.ts')
  const command = await load(found)
  let failed = false
  await command.run({
    config: readConfig(env),
    args: words.slice(found.split(' ').length),
    print,
    complain,
    readInput,
    log: createLog({ level: 'warn', readable: true, write: complain }),
    fail() {
      failed = true
    },
  })
  return failed ? 1 : 0
}

/** Where the error says it in English too, the language of the person's system decides. */
function sentenceOf(error: unknown, env: Surroundings['env']): string {
  const { message, english = message } = error as Error & { english?: string }
  return speaksEnglish(env) ? english : message
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : error)

/** Whether the command could not run as it was typed, or with the environment and the settings that it found. */
async function isMisuse(error: unknown): Promise<boolean> {
  if (error instanceof UsageError) return true
  if (error instanceof CommandFailure) return false
  // A command that got this far has loaded both files already, so this costs a call for help nothing.
  const [{ ConfigError }, { SettingError }] = await Promise.all([
    import('./config.ts'),
    import('./features/settings/settings.ts'),
  ])
  return error instanceof ConfigError || error instanceof SettingError
}

if (import.meta.main)
  process.exit(
    await runCommandLine(process.argv.slice(2), {
      env: process.env,
      write: text => void process.stdout.write(text),
      complain: text => void process.stderr.write(text),
      readInput: () => Bun.stdin.text(),
    }),
  )
