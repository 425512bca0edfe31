/** Parses the words after the name of a command strictly: an unknown option is refused. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { TextPair } from '../../base/language.ts'
import { UsageError } from './command.ts'

/** German names that options had earlier and that scripts may still use. */
const EARLIER_OPTION_NAMES: ReadonlyMap<string, string> = new Map([
  ['--auslassen', '--skip-missing'],
  ['--nur-liste', '--list-only'],
  ['--nur-pruefen', '--check-only'],
  ['--schnell', '--quick'],
  ['--vorher-entfernen', '--remove-kept'],
])

type Options = NonNullable<ParseArgsConfig['options']>

export function parseOptions<O extends Options>(args: string[], options: O) {
  return parseStrictly(args, options, false).values
}

/** Parses options and at most `maxWords` other words; more words are refused. */
export function parseWords<O extends Options>(args: string[], options: O, maxWords: number) {
  const parseResult = parseStrictly(args, options, true)
  const surplusWord = parseResult.positionals[maxWords]
  if (surplusWord === undefined) return parseResult
  throw new UsageError(
    `„${surplusWord}“ ist zu viel; ein Text mit Leerzeichen gehört in Anführungszeichen.`,
    `“${surplusWord}” is one word too many; a text with blanks belongs in quotation marks.`,
  )
}

function parseStrictly<O extends Options>(args: string[], options: O, allowPositionals: boolean) {
  try {
    return parseArgs({
      args: args.map(word => EARLIER_OPTION_NAMES.get(word) ?? word),
      options,
      allowPositionals,
    })
  } catch (error) {
    throw new UsageError(...refusalText(error, Object.keys(options)))
  }
}

/**
 * The message for words that the parser refuses. It replaces the message of the parser, which is meant for
 * programmers.
 */
function refusalText(error: unknown, knownOptions: readonly string[]): TextPair {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (knownOptions.length === 0)
    return ['Dieser Befehl kennt keine Optionen.', 'This command has no options.']
  const options = knownOptions.map(name => `--${name}`).join(', ')
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return [`Hier werden nur Optionen erwartet: ${options}.`, `Only options are expected here: ${options}.`]
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    return [
      `Einer Option fehlt ihr Wert, oder sie hat einen zu viel; bekannt sind ${options}.`,
      `An option lacks its value, or has one too many; known are ${options}.`,
    ]
  const [, unknownOption] = /'(-[^' ]+)/.exec(error instanceof Error ? error.message : '') ?? []
  return [
    `${unknownOption ? `„${unknownOption}“` : 'Eine Option'} gibt es hier nicht; bekannt sind ${options}.`,
    `There is no ${unknownOption ? `“${unknownOption}”` : 'such option'} here; known are ${options}.`,
  ]
}
