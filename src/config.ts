/** The process configuration: read once from the environment variables, checked and frozen. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { QUIET_PERIOD } from './contract/notify.ts'
import { type AccountInput, newPassword, userName } from './contract/session.ts'
import { parseNetworks } from './http/client-address.ts'
import { LOG_LEVELS } from './log.ts'

const MILLISECONDS = 'erlaubt sind ganze Zahlen von Millisekunden'
/** Milliseconds that running requests get to finish after SIGTERM. */
const STOP_PATIENCE = 30_000
const PATIENCE_RANGE = `erlaubt sind Zahlen bis ${STOP_PATIENCE}`

const PORT_RANGE = 'erlaubt sind ganze Zahlen bis 65535'

/**
 * For variables of storage engines that do not exist yet. An operator who sets one expects the files elsewhere, so
 * silently storing them in the data folder would be wrong.
 */
const notYet = z.undefined('diese Version kennt nur SQLite und einen Ordner').optional()

const schema = z.object({
  PORT: z.coerce.number(PORT_RANGE).int(PORT_RANGE).min(0, PORT_RANGE).max(65_535, PORT_RANGE).default(8080),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: notYet,
  S3_ENDPOINT: notYet,
  S3_BUCKET: notYet,
  S3_REGION: notYet,
  S3_ACCESS_KEY_ID: notYet,
  S3_SECRET_ACCESS_KEY: notYet,
  ADMIN_USER: userName.default('admin'),
  ADMIN_PASSWORD: newPassword.optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text, context) => {
      const networks = parseNetworks(text)
      if (!networks) context.addIssue('erlaubt sind Adressen und CIDR-Bereiche, durch Kommas getrennt')
      return networks ?? []
    }),
  METRICS_TOKEN: z
    .string()
    .min(16, 'mindestens 16 Zeichen')
    .regex(/^[\x21-\x7e]+$/, 'erlaubt sind Zeichen ohne Leerzeichen und Umlaute')
    .optional(),
  STOP_PATIENCE_MS: z.coerce
    .number(PATIENCE_RANGE)
    .min(0, PATIENCE_RANGE)
    .max(STOP_PATIENCE, PATIENCE_RANGE)
    .default(STOP_PATIENCE),
  LOG_LEVEL: z.enum(LOG_LEVELS, `erlaubt sind ${LOG_LEVELS.join(', ')}`).default('info'),
  /**
   * Milliseconds without an upload before a message reports the uploads. Only for tests, which cannot wait 2 minutes.
   */
  FUNDUS_TEST_QUIET_MS: z.coerce
    .number(MILLISECONDS)
    .int(MILLISECONDS)
    .min(0, MILLISECONDS)
    .default(QUIET_PERIOD),
  /** `1`: a database server that does not flush what it commits is used all the same. Only for tests. */
  FUNDUS_TEST_UNFLUSHED: z.literal('1', 'erlaubt ist 1').optional(),
})

export type Environment = Readonly<Record<string, string | undefined>>

export interface Config {
  port: number
  host: string
  dataDir: string
  /**
   * The first account, created when no account exists; null: the operator creates it with the set-up code in the log.
   */
  admin: AccountInput | null
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  /** The token with which other machines may read `/metrics`; null: only programs on this machine may read it. */
  metricsToken: string | null
  /** Milliseconds that running requests get to finish when the service stops. Only tests shorten this time. */
  stopPatience: number
  logLevel: (typeof LOG_LEVELS)[number]
  /** Milliseconds without a further upload before one message reports the uploads so far; only tests change it. */
  quietPeriod: number
  /** A database server that does not flush what it commits is used all the same. Only tests allow it. */
  unflushed: boolean
  /** The environment variables, from which settings take values that were not saved. */
  environment: Environment
}

/** A wrong configuration; the message is a sentence for the operator. */
export class ConfigError extends Error {}

export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new ConfigError(`Die Umgebungsvariable ${issue?.path.join('.')} ist ungültig: ${issue?.message}.`)
  }
  const { PORT, HOST, DATA_DIR, ADMIN_USER, ADMIN_PASSWORD, TRUST_PROXY, LOG_LEVEL } = result.data
  const { METRICS_TOKEN, STOP_PATIENCE_MS, FUNDUS_TEST_QUIET_MS } = result.data
  return Object.freeze({
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    admin: ADMIN_PASSWORD === undefined ? null : { benutzer: ADMIN_USER, passwort: ADMIN_PASSWORD },
    trustedProxies: TRUST_PROXY,
    metricsToken: METRICS_TOKEN ?? null,
    stopPatience: STOP_PATIENCE_MS,
    logLevel: LOG_LEVEL,
    quietPeriod: FUNDUS_TEST_QUIET_MS,
    unflushed: result.data.FUNDUS_TEST_UNFLUSHED === '1',
    environment,
  })
}
