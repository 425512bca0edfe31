import { expect, test } from 'bun:test'
import { settingWarningsOf } from './setting-warnings.ts'
import { createSettings } from './settings.ts'

const codes = (environment: Record<string, string>, platform: string, isShared = false) =>
  settingWarningsOf(createSettings({ environment, port: 8080, platform }).current(), {
    isShared,
    platform,
  }).map(({ code }) => code)

test.each([
  ['linux', 'D:\\Sicherung', ['second-target-foreign']],
  ['linux', 'z:/sicherung', ['second-target-foreign']],
  ['linux', '\\\\server\\share', ['second-target-foreign']],
  ['darwin', 'D:\\Sicherung', ['second-target-foreign']],
  ['win32', 'D:\\Sicherung', []],
  ['win32', '\\\\server\\share', []],
  ['linux', '/mnt/zweit', []],
  ['linux', '//server/share', []],
  ['linux', '', []],
])('on %s the second target %j: %j', (platform, target, expected) =>
  expect<string[]>(codes({ SICHERUNG_ZWEITZIEL: target }, platform)).toEqual(expected),
)

test('several at once, in the order of the settings', () => {
  const environment = {
    SICHERUNG_ZIEL: 'C:\\a',
    SICHERUNG_ZWEITZIEL: 'D:\\b',
    FILES_HOST: 'files.example.org',
  }
  expect(codes(environment, 'linux')).toEqual([
    'files-host-elsewhere',
    'target-foreign',
    'second-target-foreign',
  ])
})

test('on several machines the backup needs a target, on one it has its own', () => {
  expect<string[]>(codes({}, 'linux', true)).toEqual(['target-unset'])
  expect(codes({}, 'linux')).toEqual([])
  expect(codes({ SICHERUNG_ZIEL: '/mnt/sicherung' }, 'linux', true)).toEqual([])
})
