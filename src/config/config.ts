/** The configuration of the process: read from the environment variables, checked and frozen. */
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { SentenceError } from '../base/language.ts'
import { LOG_LEVELS } from '../base/log.ts'
import { DISCORD_ADDRESS } from '../contract/accounts/external.ts'
import { newPassword, userName } from '../contract/accounts/session.ts'
import { UPLOAD_QUIET_PERIOD } from '../contract/service/upload-message.ts'
import { MEGABYTE } from '../contract/values/units.ts'
import { parseNetworks } from '../http/access/client-address.ts'
import { MAX_RECORD_AGE } from '../storage/object-age.ts'
import type { S3Location } from '../storage/s3/requests.ts'
import {
  invalidVariableText,
  MAX_PORT,
  MAX_WORKERS,
  MIN_CACHE_MB,
  MIN_METRICS_TOKEN_LENGTH,
} from './variable-rules.ts'

/**
 * Milliseconds that running requests have to finish after the stop signal. This is both the default and the
 * maximum.
 */
const STOP_TIMEOUT = 30_000

/** Default size in megabytes of `DATA_DIR/cache`, the disk cache for an object store. */
const DEFAULT_CACHE_MB = 1024

/**
 * The default memory for prepared answers (those kept in memory, ready to be sent) of all workers together:
 * this share of the machine's memory, within these bounds.
 */
const PREPARED_ANSWERS_SHARE = 1 / 32
const MIN_PREPARED_ANSWERS_MB = 32
const MAX_PREPARED_ANSWERS_MB = 128

/**
 * Milliseconds without a heartbeat after which a worker counts as hung: longer than a failing disk usually
 * blocks a worker.
 */
const HANG_TIMEOUT = 60_000

const wholeNumber = z.coerce.number().int()

/** The messages for invalid values are in `variable-rules.ts`. */
const environmentSchema = z.object({
  PORT: wholeNumber.min(0).max(MAX_PORT).default(8080),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  CACHE_MB: wholeNumber.min(MIN_CACHE_MB).default(DEFAULT_CACHE_MB),
  SPEICHER_MB: wholeNumber.min(0).optional(),
  WORKERS: z.union([z.literal('auto'), wholeNumber.min(1).max(MAX_WORKERS)]).default(1),
  ADMIN_USER: userName.default('admin'),
  ADMIN_PASSWORD: newPassword.optional(),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text, context) => {
      const networks = parseNetworks(text)
      if (!networks) context.addIssue('invalid')
      return networks ?? []
    }),
  WEBHOOK_INTERN: z.enum(['ja', 'nein']).default('nein'),
  METRICS_TOKEN: z
    .string()
    .min(MIN_METRICS_TOKEN_LENGTH)
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  STOP_PATIENCE_MS: z.coerce.number().min(0).max(STOP_TIMEOUT).default(STOP_TIMEOUT),
  HTTP_SERVER: z.enum(['fundus', 'bun']).default('fundus'),
  SENDFILE: z.enum(['0', '1']).default('1'),
  LOG_LEVEL: z.enum(LOG_LEVELS).optional(),
  /**
   * If no token uploads anything for this number of milliseconds, a chat message reports the uploads until
   * then. Only for tests.
   */
  FUNDUS_TEST_QUIET_MS: wholeNumber.min(0).default(UPLOAD_QUIET_PERIOD),
  /** Milliseconds without a heartbeat after which a worker is killed and restarted. Only for tests. */
  FUNDUS_TEST_HANG_MS: wholeNumber.min(1000).default(HANG_TIMEOUT),
  /** Milliseconds after writing an object within which its database row must be written. Only for tests. */
  FUNDUS_TEST_RECORD_MS: wholeNumber.min(0).default(MAX_RECORD_AGE),
  /** Base address of Discord. Only for tests. */
  FUNDUS_TEST_DISCORD: z.url().default(DISCORD_ADDRESS),
  /** With `1`, a database server that does not flush its commits is accepted. Only for tests. */
  FUNDUS_TEST_UNFLUSHED: z.literal('1').optional(),
})

export type Environment = Readonly<Record<string, string | undefined>>

export type Config = ReturnType<typeof readConfig>

/**
 * A configuration that is invalid or cannot be used, for example because the port is taken. The message is a
 * sentence for the operator.
 */
export class ConfigError extends SentenceError {}

export function readConfig(environment: Environment) {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value?.trim()),
  )
  const parsedEnvironment = environmentSchema.safeParse(nonEmptyVariables)
  if (!parsedEnvironment.success) {
    const [issue] = parsedEnvironment.error.issues
    throw new ConfigError(...invalidVariableText(issue?.path.join('.') ?? '', issue?.message ?? ''))
  }
  const { PORT, HOST, DATA_DIR, ADMIN_USER, ADMIN_PASSWORD, TRUST_PROXY, LOG_LEVEL } = parsedEnvironment.data
  const { METRICS_TOKEN, STOP_PATIENCE_MS, FUNDUS_TEST_QUIET_MS } = parsedEnvironment.data
  return Object.freeze({
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    /**
     * PostgreSQL and an object store, for several machines; null: SQLite and files in `dataDir`, for a single
     * machine.
     */
    sharedServices: readSharedServices(parsedEnvironment.data),
    /**
     * Number of processes that serve the port; outside of Linux always one (`workerCount`). `auto`: depends
     * on the cores and the memory of the machine.
     */
    workers: parsedEnvironment.data.WORKERS,
    /** Milliseconds without a heartbeat after which the supervisor kills a worker; only tests change it. */
    hangTimeout: parsedEnvironment.data.FUNDUS_TEST_HANG_MS,
    cacheBytes: parsedEnvironment.data.CACHE_MB * MEGABYTE,
    preparedAnswersBytes:
      (parsedEnvironment.data.SPEICHER_MB ?? defaultPreparedAnswersMb(machineMemory())) * MEGABYTE,
    /**
     * The first account; null: the operator creates it in the browser, with the set-up code that the service
     * shows.
     */
    admin: ADMIN_PASSWORD === undefined ? null : { benutzer: ADMIN_USER, passwort: ADMIN_PASSWORD },
    /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted. */
    trustedProxies: TRUST_PROXY,
    /** The token with which other machines may read `/metrics`; null: they may not read it. */
    metricsToken: METRICS_TOKEN ?? null,
    httpServer: parsedEnvironment.data.HTTP_SERVER,
    /** Whether files may be sent with `sendfile`, on a system that has it. */
    mayUseSendfile: parsedEnvironment.data.SENDFILE === '1',
    /** Whether the chat webhook may be in a private network. */
    isInternalWebhookAllowed: parsedEnvironment.data.WEBHOOK_INTERN === 'ja',
    /** Milliseconds that running requests have to finish when the service stops; only tests change it. */
    stopTimeout: STOP_PATIENCE_MS,
    /** Null: `info`, or `warn` at a terminal, where sentences for people replace most log lines. */
    logLevel: LOG_LEVEL ?? null,
    /**
     * If no token uploads anything for this number of milliseconds, a chat message reports the uploads until
     * then; only tests change it.
     */
    quietPeriod: FUNDUS_TEST_QUIET_MS,
    /**
     * Milliseconds after writing an object within which its database row must be written; only tests change
     * it.
     */
    recordTimeLimit: parsedEnvironment.data.FUNDUS_TEST_RECORD_MS,
    /** Base address of Discord; only tests change it. */
    discordAddress: parsedEnvironment.data.FUNDUS_TEST_DISCORD,
    /** Whether a database server that does not flush its commits is accepted. Only for tests. */
    acceptsUnflushed: parsedEnvironment.data.FUNDUS_TEST_UNFLUSHED === '1',
    /**
     * All environment variables. A setting that is not saved in the database gets its value from the variable
     * of the same name.
     */
    environment,
  })
}

/** Memory in bytes of this machine, or of its container, which may have less. */
export const machineMemory = () =>
  Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

export function defaultPreparedAnswersMb(memory: number): number {
  const megabytes = Math.floor((memory / MEGABYTE) * PREPARED_ANSWERS_SHARE)
  return Math.min(Math.max(megabytes, MIN_PREPARED_ANSWERS_MB), MAX_PREPARED_ANSWERS_MB)
}

/**
 * PostgreSQL and the object store; null if none of their variables is set. Throws if only some are set,
 * because files and rows would then be in different places.
 */
function readSharedServices(
  variables: z.infer<typeof environmentSchema>,
): { databaseUrl: string; store: S3Location } | null {
  const { DATABASE_URL, S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } =
    variables
  const sharedVariables = {
    DATABASE_URL,
    S3_ENDPOINT,
    S3_BUCKET,
    S3_REGION,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
  }
  const missingVariables = Object.entries(sharedVariables).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  )
  const variableNames = Object.keys(sharedVariables)
  if (missingVariables.length === variableNames.length) return null
  if (missingVariables.length > 0)
    throw new ConfigError(
      `${variableNames.join(', ')} gelten nur zusammen: entweder sind alle gesetzt oder keine. Es fehlt ${missingVariables.join(', ')}.`,
      `${variableNames.join(', ')} count only together: either all are set or none. Missing: ${missingVariables.join(', ')}.`,
    )
  const store = {
    endpoint: S3_ENDPOINT!,
    bucket: S3_BUCKET!,
    region: S3_REGION!,
    accessKeyId: S3_ACCESS_KEY_ID!,
    secretAccessKey: S3_SECRET_ACCESS_KEY!,
  }
  return { databaseUrl: DATABASE_URL!, store }
}

/** The address of a database for messages, without user and password. */
export function databaseAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
