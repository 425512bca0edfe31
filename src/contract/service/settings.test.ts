import { describe, expect, test } from 'bun:test'
import { settingClause } from './setting-clauses.ts'
import { settingSchemas } from './settings.ts'

const parse = (name: keyof typeof settingSchemas, value: unknown) => settingSchemas[name].safeParse(value)

/** The clause for the schema's code. */
const refusal = (name: keyof typeof settingSchemas, value: unknown) =>
  settingClause(parse(name, value).error?.issues[0]?.message, 'de')

describe('MAX_UPLOAD_MB', () => {
  test.each([
    ['64', 64],
    ['0.5', 0.5],
    ['1.25', 1.25],
    ['1,5', 1.5],
    [' 8 ', 8],
    [8, 8],
    ['1048576', 1_048_576],
    ['1,5', 1.5],
    [undefined, 64],
  ])('%j means %d', (given, expected) => expect(parse('MAX_UPLOAD_MB', given).data).toBe(expected))

  test.each([
    ['1.024,5', 'Zahl'],
    ['1,5,5', 'Zahl'],
    ['0x10', 'Zahl'],
    ['viel', 'Zahl'],
    ['64 MB', 'Zahl'],
    ['NaN', 'Zahl'],
    ['Infinity', 'Zahl'],
    ['0', 'größer als null'],
    ['-1', 'größer als null'],
    ['1048577', 'höchstens'],
  ])('%j is refused: %s', (given, why) => expect(refusal('MAX_UPLOAD_MB', given)).toContain(why))
})

describe('PUBLIC_URL', () => {
  test.each([
    ['https://media.example.org', 'https://media.example.org'],
    ['https://media.example.org/', 'https://media.example.org'],
    ['https://media.example.org///', 'https://media.example.org'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['https://example.org/media/', 'https://example.org/media'],
    [undefined, undefined],
  ])('%j is kept as %j', (given, expected) => {
    const result = parse('PUBLIC_URL', given)
    expect([result.success, result.data]).toEqual([true, expected])
  })

  test.each([
    '',
    'media.example.org',
    '//media.example.org',
    'ftp://x.org',
    'javascript:alert(1)',
    'http://',
  ])('%j is refused', given => expect(parse('PUBLIC_URL', given).success).toBe(false))

  // A lenient URL parser accepts them, but addresses are built by appending `/f/<path>` to the text.
  test.each(['http:media.example.org', 'https:/media.example.org', 'https://x.org/?a=b', 'https://x.org/#a'])(
    '%j is refused: no address could be built from it',
    given => expect(parse('PUBLIC_URL', given).success).toBe(false),
  )

  test('blanks around it do not end up in addresses', () => {
    const { success, data } = parse('PUBLIC_URL', ' https://media.example.org ')
    if (success) expect(data).toBe('https://media.example.org')
  })
})

describe('FILES_HOST', () => {
  test.each([
    [undefined, ''],
    ['', ''],
    ['files.example.org', 'files.example.org'],
    ['Files.Example.ORG', 'files.example.org'],
    ['localhost', 'localhost'],
    ['192.0.2.7', '192.0.2.7'],
    ['[2001:DB8::1]', '[2001:db8::1]'],
  ])('%j is kept as %j', (given, expected) => expect(parse('FILES_HOST', given).data).toBe(expected))

  test.each([
    'files.example.org:8080',
    '[::1]:80',
    '::1',
    'https://x.org',
    'x.org/',
    'a b',
    'a,b',
    '*',
    'x.org\n',
  ])('%j is refused', given => expect(refusal('FILES_HOST', given)).toContain('ohne Port'))
})

describe('WEBHOOK_ANLAESSE', () => {
  test.each([
    [undefined, ['sicherung', 'verwaiste', 'platte', 'upload']],
    [
      ['upload', 'sicherung'],
      ['sicherung', 'upload'],
    ],
    [['upload', 'upload', 'mond'], ['upload']],
    [[], []],
    ['platte, upload', ['platte', 'upload']],
    ['mond', []],
  ])('%j is kept as %j', (given, expected) =>
    expect(parse('WEBHOOK_ANLAESSE', given).data as unknown).toEqual(expected),
  )

  test.each([7, {}, [7]])('%j is refused', given =>
    expect(refusal('WEBHOOK_ANLAESSE', given)).toContain('Liste'),
  )
})

describe.each(['SICHERUNG_ZIEL', 'SICHERUNG_ZWEITZIEL'] as const)('%s', name => {
  test.each([
    '',
    'D:\\Sicherung',
    'd:/sicherung',
    '\\\\server\\share',
    '\\\\server\\share\\x',
    '/mnt/backup',
  ])('%j is taken', given => expect(parse(name, given).data).toBe(given))

  test.each([
    'sicherung',
    './sicherung',
    '../sicherung',
    '~/sicherung',
    'D:sicherung',
    'D:',
    'DD:\\x',
    '\\\\server',
    '\\server\\share',
    '\\\\\\share',
    'file:///mnt',
  ])('%j is refused', given => expect(refusal(name, given)).toContain('vollständiger Pfad'))
  test('no control characters', () => expect(parse(name, '/mnt/a\0b').success).toBe(false))
})

test.each([
  ['00:00', true],
  ['03:30', true],
  [' 23:59 ', true],
  ['24:00', false],
  ['3:30', false],
  ['03:60', false],
  ['03:30:00', false],
  ['halb vier', false],
  [330, false],
])('SICHERUNG_UHRZEIT %j: %p', (given, fine) => expect(parse('SICHERUNG_UHRZEIT', given).success).toBe(fine))

test.each([
  [1, true],
  ['14', true],
  [10_000, true],
  [0, false],
  [-1, false],
  [1.5, false],
  ['1,5', false],
  [10_001, false],
])('SICHERUNG_BEHALTEN %j: %p', (given, fine) =>
  expect(parse('SICHERUNG_BEHALTEN', given).success).toBe(fine),
)

test.each([
  ['https://discord.com/api/webhooks/1/abc', true],
  ['https://chat.example.org/hooks/x?y=z', true],
  ['', true],
  ['discord.com/api', false],
  ['ftp://x.org', false],
  ['https://user:pass@x.org', false],
])('WEBHOOK_URL %j: %p', (given, fine) => expect(parse('WEBHOOK_URL', given).success).toBe(fine))

test.each([
  ['Fundus', true],
  ['Medien für alle', true],
  ['', false],
  ['a\nb', false],
  ['x'.repeat(101), false],
])('DIENST %j: %p', (given, fine) => expect(parse('DIENST', given).success).toBe(fine))
