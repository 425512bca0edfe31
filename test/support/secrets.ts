/**
 * The secrets that the tests of this process have made or given to a service: keys, sessions, passwords. Whatever a test is
 * about, none of them may be in the log of a service, looked for when it ends, or in what a command prints. By design they are
 * in three places: the answer to signing in, the answer to making a token, and the setting that somebody asks for by name.
 */
import type { CommandResult } from './command.ts'
import type { Environment } from './host-client.ts'

/** Shorter ones could be in a text by chance. */
const SHORTEST = 12

const SECRET_VARIABLES = ['ADMIN_PASSWORD', 'METRICS_TOKEN', 'S3_SECRET_ACCESS_KEY']

/** What each one is, by its text. */
const secrets = new Map<string, string>()

/** Answers the secret itself. */
export function keepSecret(what: string, secret: string): string {
  if (secret.length >= SHORTEST) secrets.set(secret, what)
  return secret
}

export function keepSecretsOf(env: Environment): void {
  for (const name of SECRET_VARIABLES) keepSecret(name, env[name] ?? '')
  keepSecret('the password in DATABASE_URL', URL.parse(env.DATABASE_URL ?? '')?.password ?? '')
}

export function failIfTold(where: string, text: string): void {
  const told = [...secrets].flatMap(([secret, what]) => (text.includes(secret) ? [what] : []))
  if (told.length > 0) throw new Error(`${where} tells a secret: ${told.join(', ')}`)
}

/** Commands whose purpose is to show a secret. */
const SHOWS_A_SECRET = /^(token create|settings get)\b/

export function withoutSecrets(args: readonly string[], result: CommandResult): CommandResult {
  const command = args.join(' ')
  if (!SHOWS_A_SECRET.test(command)) failIfTold(`What “${command}” prints`, result.stdout + result.stderr)
  return result
}
