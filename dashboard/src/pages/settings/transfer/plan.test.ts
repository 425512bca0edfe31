import { describe, expect, test } from 'bun:test'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { loadSettingRules } from '../rules.ts'
import { planImport, readExport } from './plan.ts'

const settings = {
  PUBLIC_URL: { wert: 'https://a.example.org', quelle: 'gespeichert' },
  MAX_UPLOAD_MB: { wert: 64, quelle: 'vorgabe' },
  WEBHOOK_URL: { quelle: 'vorgabe', geheim: true, gesetzt: false },
  WEBHOOK_ANLAESSE: { wert: ['upload'], quelle: 'gespeichert' },
} as unknown as SettingsAnswer

const plan = async (given: Record<string, unknown>) =>
  planImport(given, settings, await loadSettingRules(), 'de')

test.each([
  ['{"DIENST":"x"}', { DIENST: 'x' }],
  ['[]', null],
  ['7', null],
  ['', null],
  ['{', null],
])('%j is read as %j', (text, expected) => expect(readExport(text)).toEqual(expected))

describe('what an import would do', () => {
  test('only what differs, as the service would keep it', async () => {
    const {
      changes,
      problems,
      unknownNames: unknown,
    } = await plan({
      PUBLIC_URL: 'https://a.example.org/',
      MAX_UPLOAD_MB: '1,5',
      WEBHOOK_ANLAESSE: ['upload'],
      MONDPHASE: 'voll',
    })
    expect(changes).toEqual([{ name: 'MAX_UPLOAD_MB', from: '64', to: '1,5' }])
    expect(problems).toEqual([])
    expect(unknown).toEqual(['MONDPHASE'])
  })

  test('empty values change nothing, nor does a list of which nothing is known', async () => {
    const { changes } = await plan({
      PUBLIC_URL: '',
      MAX_UPLOAD_MB: null,
      WEBHOOK_ANLAESSE: ['mond'],
      WEBHOOK_URL: '',
    })
    expect(changes).toEqual([])
  })

  test('a secret is always news, for nobody can compare it', async () => {
    const { changes } = await plan({ WEBHOOK_URL: 'https://chat.example.org/x' })
    expect(changes).toEqual([{ name: 'WEBHOOK_URL', from: null, to: 'https://chat.example.org/x' }])
  })

  test('what cannot be used is said by name', async () => {
    const { changes, problems } = await plan({ MAX_UPLOAD_MB: -1 })
    expect(changes).toEqual([])
    expect(problems).toEqual([{ name: 'MAX_UPLOAD_MB', problem: 'Muss größer als null sein.' }])
  })
})
