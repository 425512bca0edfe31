/** Parses the words behind a command strictly: an unknown option is refused, never ignored. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './command.ts'

type Options = NonNullable<ParseArgsConfig['options']>

export function parseOptions<O extends Options>(args: string[], options: O) {
  return parseTyped(args, options, false).values
}

/** Parses options and at most `most` other words. A surplus word is refused, because it was meant as something else. */
export function parseWords<O extends Options>(args: string[], options: O, most: number) {
  const typed = parseTyped(args, options, true)
  const surplus = typed.positionals[most]
  if (surplus === undefined) return typed
  throw new UsageError(`„${surplus}“ ist zu viel; ein Text mit Leerzeichen gehört in Anführungszeichen.`)
}

function parseTyped<O extends Options>(args: string[], options: O, allowPositionals: boolean) {
  try {
    return parseArgs({ args, options, allowPositionals })
  } catch (error) {
    throw new UsageError(inGerman(error, Object.keys(options)))
  }
}

/** The German sentence for the code of the parser's error; the parser's own message is English. */
function inGerman(error: unknown, known: readonly string[]): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (known.length === 0) return 'Dieser Befehl kennt keine Optionen.'
  const options = known.map(name => `--${name}`).join(', ')
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `Hier werden nur Optionen erwartet: ${options}.`
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    return `Einer Option fehlt ihr Wert, oder sie hat einen zu viel; bekannt sind ${options}.`
  const [, unknown] = /'(-[^' ]+)/.exec(error instanceof Error ? error.message : '') ?? []
  return `${unknown ? `„${unknown}“` : 'Eine Option'} gibt es hier nicht; bekannt sind ${options}.`
}
