import { describe, expect, test } from 'bun:test'
import type { SettingsAnswer } from '../../api/routes.ts'
import { changesOf, fieldValueOf, requestBodyOf, type SettingDrafts } from './drafts.ts'

const settings = {
  PUBLIC_URL: { wert: 'https://media.example.org', quelle: 'gespeichert' },
  FILES_HOST: { wert: '', quelle: 'vorgabe' },
  MAX_UPLOAD_MB: { wert: 1.5, quelle: 'umgebung' },
  WEBHOOK_URL: { quelle: 'gespeichert', geheim: true, gesetzt: true },
  WEBHOOK_ANLAESSE: { wert: ['sicherung', 'upload'], quelle: 'vorgabe' },
} as unknown as SettingsAnswer

const changes = (drafts: SettingDrafts, comma = true) =>
  changesOf(settings, drafts, Object.keys(settings) as (keyof SettingsAnswer)[], comma)

test('a number stands in its field as the language writes it', () => {
  expect(fieldValueOf(1.5, true)).toBe('1,5')
  expect(fieldValueOf(1.5, false)).toBe('1.5')
  expect(fieldValueOf(64, true)).toBe('64')
  expect(fieldValueOf('03:30', true)).toBe('03:30')
})

describe('what saving would change', () => {
  test.each<[SettingDrafts, unknown[]]>([
    [{}, []],
    [{ MAX_UPLOAD_MB: '1,5' }, []],
    [{ MAX_UPLOAD_MB: ' 1,5 ' }, []],
    [{ WEBHOOK_ANLAESSE: ['sicherung', 'upload'] }, []],
    [{ WEBHOOK_URL: '' }, []],
    [{ MAX_UPLOAD_MB: '8' }, [{ name: 'MAX_UPLOAD_MB', from: '1,5', to: '8' }]],
    [{ PUBLIC_URL: '' }, [{ name: 'PUBLIC_URL', from: 'https://media.example.org', to: '' }]],
    [{ WEBHOOK_ANLAESSE: [] }, [{ name: 'WEBHOOK_ANLAESSE', from: ['sicherung', 'upload'], to: [] }]],
    [{ WEBHOOK_URL: 'https://x.org/a' }, [{ name: 'WEBHOOK_URL', from: null, to: 'https://x.org/a' }]],
  ])('%j', (drafts, expected) => expect(changes(drafts) as unknown[]).toEqual(expected))

  test('only of the settings that are asked for', () => {
    expect(changesOf(settings, { MAX_UPLOAD_MB: '8' }, ['PUBLIC_URL'], true)).toEqual([])
  })
})

test('an empty text goes back to environment or default, an empty list is a list', () => {
  expect(requestBodyOf(changes({ PUBLIC_URL: ' ', WEBHOOK_ANLAESSE: [], MAX_UPLOAD_MB: '8' }))).toEqual({
    PUBLIC_URL: null,
    WEBHOOK_ANLAESSE: [],
    MAX_UPLOAD_MB: '8',
  })
})
