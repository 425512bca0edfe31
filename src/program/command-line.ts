/** The command line for operators: `fundus <command>`. Loads only the command that was typed. */

import { becomeOwnerOf } from '../adapters/owner.ts'
import {
  createPickText,
  type PickText,
  SentenceError,
  type TextPair,
  terminalLanguageOf,
} from '../base/language.ts'
import { createLog } from '../base/log.ts'
import { errorCode } from '../base/system/error-code.ts'
import { lowerPriority } from '../base/system/priority.ts'
import { VERSION } from '../base/version.ts'
import { ownValue } from '../contract/values/own-value.ts'
import { type Command, type CommandContext, CommandFailure, UsageError } from './commands/command.ts'
import { createProgress } from './commands/progress.ts'
import { createFormatter } from './formatter.ts'
import { watchOutput } from './output.ts'

/** The niceness of a command that calls `lowerOwnPriority`; the default of nice(1). */
const NICENESS = 10

/**
 * The commands, each with one line for the overview, in the order in which an operator of a new instance
 * needs them.
 */
const COMMAND_GROUPS: readonly { title: TextPair; commands: Readonly<Record<string, TextPair>> }[] = [
  {
    title: ['Dienst', 'Service'],
    commands: { start: ['startet den Dienst', 'starts the service'] },
  },
  {
    title: ['Benutzerkonten', 'Accounts'],
    commands: {
      'user create': ['legt ein Benutzerkonto an', 'makes an account'],
      'user list': ['zeigt die Benutzerkonten', 'shows the accounts'],
      'user password': [
        'setzt ein Passwort neu und hebt Sperren auf',
        'sets a new password and lifts the locks of its account',
      ],
      'user role': ['ändert Rolle und Ordner eines Kontos', 'changes role and folders of an account'],
      'user sessions end': ['beendet die Sitzungen eines Kontos', 'ends the sessions of an account'],
      'user reset-factor': [
        'entfernt den zweiten Faktor eines Kontos',
        'removes the second factor of an account',
      ],
      'user invite': [
        'macht einen Link, mit dem eine Person ein Konto anlegt',
        'makes a link with which a person makes an account',
      ],
      'user delete': ['löscht ein Benutzerkonto', 'deletes an account'],
    },
  },
  {
    title: ['Tokens', 'Tokens'],
    commands: {
      'token create': [
        'macht ein Token und zeigt es dieses eine Mal',
        'makes a token and shows it this once',
      ],
      'token list': [
        'zeigt die Tokens, ihre Grenzen und was mit ihnen gespeichert ist',
        'shows the tokens, their limits and what was stored with them',
      ],
      'token delete': ['widerruft ein Token; seine Dateien bleiben', 'revokes a token; its files stay'],
    },
  },
  {
    title: ['Hochladen', 'Uploading'],
    commands: {
      push: [
        'lädt einen Ordner zu einem laufenden Dienst hoch, von jedem Rechner aus',
        'uploads a folder to a running service, from any machine',
      ],
      import: [
        'holt Dateien von anderswo in einen laufenden Dienst und nennt alte und neue Adressen',
        'brings files from elsewhere into a running service and names old and new addresses',
      ],
    },
  },
  {
    title: ['Einstellungen', 'Settings'],
    commands: {
      'settings list': [
        'zeigt die Einstellungen und woher ihr Wert kommt',
        'shows the settings and where their values come from',
      ],
      'settings get': ['zeigt den geltenden Wert einer Einstellung', 'shows the value of a setting'],
      'settings set': [
        'speichert eine Einstellung; sie gilt sofort, auch im laufenden Dienst',
        'saves a setting; it counts at once, in a running service too',
      ],
      'settings unset': [
        'vergisst den gespeicherten Wert einer Einstellung',
        'forgets the saved value of a setting',
      ],
    },
  },
  {
    title: ['Sicherung', 'Backup'],
    commands: {
      backup: [
        'sichert alles in ein Archiv, auch bei laufendem Dienst',
        'writes everything into an archive, also while the service runs',
      ],
      restore: [
        'stellt einen Bestand aus einem Archiv der Sicherung wieder her',
        'restores an instance from the archive of a backup',
      ],
      migrate: [
        'zieht aus einem Ordner nach PostgreSQL und Objektspeicher um, oder zurück',
        'moves from a folder to PostgreSQL and an object store, or back',
      ],
    },
  },
  {
    title: ['Pflege', 'Care'],
    commands: {
      doctor: [
        'sieht sich Rechner und Bestand an und sagt, was zu tun ist',
        'looks at machine and instance and says what to do',
      ],
      check: [
        'prüft, ob Datenbank und Ablage zusammenpassen',
        'checks whether database and stored files fit together',
      ],
      accept: [
        'behält eine Datenbank, der Änderungen fehlen, und beendet die Meldung darüber',
        'keeps a database that lacks changes, and ends the message about it',
      ],
      rebuild: ['baut die Datenbank aus der Ablage neu auf', 'makes a new database from the stored files'],
      sweep: ['entfernt Objekte, auf die nichts mehr zeigt', 'removes objects that nothing points to'],
    },
  },
]

const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => Object.entries(commands))

const HELP_OPTIONS = ['--help', '-h']

type CommandSummary = readonly [name: string, summary: TextPair]

const summaryLine = ([name, summary]: CommandSummary, localize: PickText) =>
  `  fundus ${name.padEnd(18)} ${localize(...summary)}`

const OVERVIEW_FOOTER: TextPair = [
  `Mehr zu einem Befehl: fundus help <Befehl>          Version: fundus --version

Die Befehle arbeiten auf dem Ordner DATA_DIR (./data), oder auf DATABASE_URL und S3_*, wenn sie gesetzt sind;
push und import brauchen nur Adresse und Token.
Rückgabewert: 0 gelungen, 1 misslungen oder etwas gefunden, 2 so nicht ausführbar (der Satz dazu sagt, warum).`,
  `More on a command: fundus help <command>          Version: fundus --version

The commands work on the folder DATA_DIR (./data), or on DATABASE_URL and S3_* where they are set;
push and import need only an address and a token.
Exit code: 0 succeeded, 1 failed or found something, 2 cannot be run like this (the sentence says why).`,
]

const overviewText = (localize: PickText) =>
  [
    localize('Fundus – ein eigener Medienhost', 'Fundus – a media host of your own'),
    ...COMMAND_GROUPS.flatMap(({ title, commands }) => [
      '',
      localize(...title),
      ...Object.entries(commands).map(command => summaryLine(command, localize)),
    ]),
    '',
    localize(...OVERVIEW_FOOTER),
  ].join('\n')

/** Alternative names of commands. An alternative must have as many words as the name that it stands for. */
const COMMAND_ALIASES: Readonly<Record<string, string>> = { 'user add': 'user create' }

const findCommandName = (args: string[]) =>
  ownValue(COMMAND_ALIASES, args.slice(0, 2).join(' ')) ??
  COMMANDS.map(([name]) => name).find(name => name.split(' ').every((word, index) => args[index] === word))

/** The exports of a command file: one command, or several subcommands by their names. */
type CommandFile = { command: Command } | { commands: Readonly<Record<string, Command>> }

/** The file of each command, by its first word. */
const COMMAND_FILES: Readonly<Record<string, () => Promise<CommandFile>>> = {
  start: () => import('./commands/start.ts'),
  user: () => import('./commands/user/user.ts'),
  token: () => import('./commands/token.ts'),
  push: () => import('./commands/remote/push.ts'),
  import: () => import('./commands/remote/import.ts'),
  settings: () => import('./commands/settings.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  migrate: () => import('./commands/migrate.ts'),
  doctor: () => import('./commands/doctor/doctor.ts'),
  check: () => import('./commands/check.ts'),
  accept: () => import('./commands/accept.ts'),
  rebuild: () => import('./commands/rebuild.ts'),
  sweep: () => import('./commands/sweep.ts'),
}

async function loadCommand(name: string): Promise<Command> {
  const [fileName = '', ...subcommand] = name.split(' ')
  const commandFile = await ownValue(COMMAND_FILES, fileName)!()
  return 'command' in commandFile
    ? commandFile.command
    : ownValue(commandFile.commands, subcommand.join(' '))!
}

/**
 * The help text for one command, for all commands that begin with a word such as `token`, or for all
 * commands.
 */
async function helpTextFor(args: string[], localize: PickText): Promise<string> {
  const [firstWord] = args
  if (firstWord === undefined) return overviewText(localize)
  const commandName = findCommandName(args)
  const help =
    commandName === undefined
      ? subcommandLines(firstWord, localize)
      : localize(...(await loadCommand(commandName)).help)
  if (help === null) throw unknownCommandError(args)
  return help
}

/** One line for each command that begins with this word; null if none does. */
function subcommandLines(firstWord: string | undefined, localize: PickText): string | null {
  const commands = COMMANDS.filter(([name]) => name.split(' ')[0] === firstWord)
  return commands.length === 0 ? null : commands.map(command => summaryLine(command, localize)).join('\n')
}

const [inGerman, inEnglish] = [createPickText('de'), createPickText('en')]

function unknownCommandError(args: string[]): UsageError {
  const [firstWord] = args
  const similarCommands = (localize: PickText) => subcommandLines(firstWord, localize)
  if (args.length === 1 && similarCommands(inGerman) !== null)
    return new UsageError(
      `Zu „${firstWord}“ fehlt noch ein Wort.\n\n${similarCommands(inGerman)}`,
      `“${firstWord}” needs a second word.\n\n${similarCommands(inEnglish)}`,
    )
  return new UsageError(
    `Den Befehl „${args.join(' ')}“ gibt es nicht.\n\n${similarCommands(inGerman) ?? overviewText(inGerman)}`,
    `There is no command “${args.join(' ')}”.\n\n${similarCommands(inEnglish) ?? overviewText(inEnglish)}`,
  )
}

/** What a command uses of the process: environment, input and output, priority and user. */
export interface ProcessContext
  extends Pick<
    CommandContext,
    'printToStderr' | 'isOutputRead' | 'readInput' | 'lowerOwnPriority' | 'becomeOwnerOf'
  > {
  env: Record<string, string | undefined>
  /** Writes to standard output. */
  write(text: string): void
}

/** Runs a command and returns its exit code. Several calls may run at the same time in one process. */
export async function runCommandLine(args: string[], processContext: ProcessContext): Promise<number> {
  try {
    return await runCommand(args, processContext)
  } catch (error) {
    const { env, printToStderr } = processContext
    const isExpectedError = error instanceof SentenceError
    printToStderr(
      `fundus: ${isExpectedError ? createPickText(terminalLanguageOf(env))(error.message, error.english) : stackOf(error)}\n`,
    )
    // An expected error that is not a `CommandFailure` means that the command could not run as typed, with
    // these settings, or in the present state.
    return isExpectedError && !(error instanceof CommandFailure) ? 2 : 1
  }
}

async function runCommand(args: string[], processContext: ProcessContext): Promise<number> {
  const { env, write, printToStderr, becomeOwnerOf } = processContext
  const print = (text: string) => {
    write(`${text}\n`)
    return 0
  }
  const formatter = createFormatter(terminalLanguageOf(env))
  const { localize } = formatter
  if (args[0] === '--version') return print(VERSION)
  if (args.length === 0 || args[0] === 'help') return print(await helpTextFor(args.slice(1), localize))
  if (args.some(word => HELP_OPTIONS.includes(word)))
    return print(
      await helpTextFor(
        args.filter(word => !word.startsWith('-')),
        localize,
      ),
    )
  const commandName = findCommandName(args)
  if (commandName === undefined) throw unknownCommandError(args)
  const { readConfig } = await import('../config/config.ts')
  const command = await loadCommand(commandName)
  const config = readConfig(env)
  if (!command.keepsUser) becomeOwnerOf(config.dataDir)
  let exitCode = 0
  const context: CommandContext = {
    ...processContext,
    config,
    args: args.slice(commandName.split(' ').length),
    formatter,
    print,
    startProgress: (german, english, unit = 'bytes') =>
      createProgress({ label: localize(german, english), unit, formatter, write: printToStderr }),
    log: createLog({ level: 'warn', isHumanReadable: true, write: printToStderr }),
    fail(code = 1) {
      exitCode = code
    },
  }
  await command.run(context).catch(async error => {
    const { shownErrorOf } = await import('./commands/trouble.ts')
    throw shownErrorOf({ ...config, ...context }, error)
  })
  return exitCode
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : error)

/** Runs the command line of this process, and ends the process once its output is written. */
export async function runProcess(): Promise<never> {
  const { env, stdout, stderr } = process
  const [output, errorOutput] = [watchOutput(stdout), watchOutput(stderr)]
  const printToStderr = (text: string) => void stderr.write(text)
  const exitCode = await runCommandLine(process.argv.slice(2), {
    env,
    write: text => void stdout.write(text),
    printToStderr,
    isOutputRead: output.isRead,
    readInput: () => Bun.stdin.text(),
    lowerOwnPriority: () => lowerPriority(NICENESS),
    becomeOwnerOf,
  })
  const outputError = await output.end()
  if (outputError)
    printToStderr(
      `fundus: ${createPickText(terminalLanguageOf(env))(...incompleteOutputText(outputError))}\n`,
    )
  await errorOutput.end()
  process.exit(outputError && exitCode === 0 ? 1 : exitCode)
}

const incompleteOutputText = (cause: Error): TextPair => [
  `Die Ausgabe ließ sich nicht ganz schreiben (${errorCode(cause)}): Sie ist unvollständig.`,
  `The output could not be written completely (${errorCode(cause)}): it is incomplete.`,
]

if (import.meta.main) await runProcess()
