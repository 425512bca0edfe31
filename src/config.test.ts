import { describe, expect, test } from 'bun:test'
import { ConfigError, readConfig } from './config.ts'

test('nothing set: the defaults, and no account from the environment', () => {
  expect(readConfig({})).toMatchObject({ port: 8080, host: '0.0.0.0', logLevel: 'info', admin: null })
})

test('an empty value counts as not set', () => {
  expect(readConfig({ PORT: '', ADMIN_PASSWORD: '' })).toMatchObject({ port: 8080, admin: null })
})

test('the quiet period of messages is two minutes unless a test says otherwise', () => {
  expect(readConfig({}).quietPeriod).toBe(120_000)
  expect(readConfig({ FUNDUS_TEST_QUIET_MS: '250' }).quietPeriod).toBe(250)
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
    ['DATABASE_URL', 'postgres://localhost/fundus'],
    ['S3_ENDPOINT', 'http://localhost:9000'],
    ['S3_SECRET_ACCESS_KEY', 'x'],
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(name))
  })
})
