import { describe, expect, test } from 'bun:test'
import { ConfigError, defaultPreparedAnswersMb, readConfig } from './config.ts'
import { invalidVariableText } from './variable-rules.ts'

test('nothing set: the defaults, and no account from the environment', () => {
  expect(readConfig({})).toMatchObject({ port: 8080, host: '0.0.0.0', logLevel: null, admin: null })
})

test('one worker unless more are asked for, by number or as many as fit', () => {
  expect(
    [{}, { WORKERS: '' }, { WORKERS: '3' }, { WORKERS: 'auto' }].map(env => readConfig(env).workers),
  ).toEqual([1, 1, 3, 'auto'])
})

test('an empty value, or one of blanks, counts as not set', () => {
  expect(readConfig({ PORT: '', ADMIN_PASSWORD: '' })).toMatchObject({ port: 8080, admin: null })
  expect(readConfig({ PORT: ' ', WORKERS: '\t' })).toMatchObject({ port: 8080, workers: 1 })
})

test('the quiet period of messages is two minutes unless a test says otherwise', () => {
  expect(readConfig({}).quietPeriod).toBe(120_000)
  expect(readConfig({ FUNDUS_TEST_QUIET_MS: '250' }).quietPeriod).toBe(250)
})

test('a worker may be silent for a minute unless a test says otherwise', () => {
  expect(readConfig({}).hangTimeout).toBe(60_000)
  expect(readConfig({ FUNDUS_TEST_HANG_MS: '3000' }).hangTimeout).toBe(3000)
})

test('memory for prepared answers is as set, or a share of what the machine has', () => {
  expect(readConfig({ SPEICHER_MB: '10' }).preparedAnswersBytes).toBe(10 * 1024 * 1024)
  expect(readConfig({ SPEICHER_MB: '0' }).preparedAnswersBytes).toBe(0)
  const gigabytes = [0.5, 1, 2, 4, 64]
  expect(gigabytes.map(each => defaultPreparedAnswersMb(each * 2 ** 30))).toEqual([32, 32, 64, 128, 128])
})

describe('what cannot be used stops the start with a sentence that names it', () => {
  test.each<[string, string]>([
    ['PORT', 'achtzig'],
    ['PORT', '70000'],
    ['PORT', '1.5'],
    ['LOG_LEVEL', 'laut'],
    ['ADMIN_PASSWORD', 'kurz'],
    ['TRUST_PROXY', 'überall'],
    ['FUNDUS_TEST_QUIET_MS', 'bald'],
    ['FUNDUS_TEST_QUIET_MS', '-1'],
    ['FUNDUS_TEST_HANG_MS', '0'],
    ['CACHE_MB', '1'],
    ['WORKERS', '0'],
    ['WORKERS', '1.5'],
    ['WORKERS', '65'],
    ['WORKERS', 'alle'],
    ['CACHE_MB', 'viel'],
    ['SPEICHER_MB', '-1'],
    ['SPEICHER_MB', 'viel'],
    ['SENDFILE', 'nein'],
    ['HTTP_SERVER', 'nginx'],
    ['DATABASE_URL', 'mysql://localhost/fundus'],
    ['S3_ENDPOINT', 'localhost:9000'],
    ['S3_ENDPOINT', 'ftp://localhost'],
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(name))
    expect(() => readConfig({ [name]: value })).toThrow(
      expect.objectContaining({
        english: expect.stringContaining(`The environment variable ${name} is not valid; it must be `),
      }),
    )
  })
})

describe('in both languages the sentence says what the variable must be', () => {
  test.each([
    'PORT',
    'LOG_LEVEL',
    'ADMIN_USER',
    'ADMIN_PASSWORD',
    'TRUST_PROXY',
    'METRICS_TOKEN',
    'DATABASE_URL',
    'S3_ENDPOINT',
    'CACHE_MB',
    'SENDFILE',
    'HTTP_SERVER',
  ])('%s', name => {
    const [german, english] = invalidVariableText(name, 'muss gültig sein')
    expect(german).toMatch(new RegExp(`^Die Umgebungsvariable ${name} ist ungültig: .+\\.$`))
    expect(english).not.toContain('docs/')
  })

  test('a variable that only tests set is sent to the document', () => {
    expect(invalidVariableText('FUNDUS_TEST_QUIET_MS', 'x')[1]).toEndWith(
      'it must be as docs/operations/reference.md says.',
    )
  })
})

describe('PostgreSQL and the object store are configured together', () => {
  const ALL = {
    DATABASE_URL: 'postgres://localhost/fundus',
    S3_ENDPOINT: 'http://localhost:9000',
    S3_BUCKET: 'fundus',
    S3_REGION: 'eu',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }

  test('all: both are used', () => {
    const { sharedServices: shared, cacheBytes } = readConfig({ ...ALL, CACHE_MB: '100' })
    expect(shared).toEqual({
      databaseUrl: 'postgres://localhost/fundus',
      store: {
        endpoint: 'http://localhost:9000',
        bucket: 'fundus',
        region: 'eu',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
      },
    })
    expect(cacheBytes).toBe(100 * 1024 * 1024)
  })

  test('none, or empty: one machine, with a folder', () => {
    expect(readConfig({}).sharedServices).toBeNull()
    expect(readConfig(Object.fromEntries(Object.keys(ALL).map(name => [name, '']))).sharedServices).toBeNull()
  })

  test.each(Object.entries(ALL))('%s missing: a sentence that names it', name => {
    expect(() => readConfig({ ...ALL, [name]: '' })).toThrow(`Es fehlt ${name}.`)
  })

  test.each(Object.entries(ALL))('%s alone: a sentence, and no secret in it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).not.toThrow('secret')
  })
})
