/**
 * The secrets that the tests of this process have made or given to a service: keys, sessions, passwords.
 * Whatever a test is about, none of them may be in the log of a service, which is searched when the service
 * ends, or in the output of a command. They are meant to be in three places only: the answer to signing in,
 * the answer to creating a token, and a setting that is requested by name.
 */
import type { CommandResult } from './command.ts'
import type { Environment } from './host-client.ts'

/** Shorter ones could occur in a text by chance. */
const SHORTEST = 12

const SECRET_VARIABLES = ['ADMIN_PASSWORD', 'METRICS_TOKEN', 'S3_SECRET_ACCESS_KEY']

/** The description of each secret. */
const secrets = new Map<string, string>()

/** Returns the secret itself. */
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
