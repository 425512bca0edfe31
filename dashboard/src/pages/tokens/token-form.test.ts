import { describe, expect, test } from 'bun:test'
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { changesOf, EMPTY_FORM, formOf, problemsOf, requestOf, type TokenForm } from './token-form.ts'

const MB = 1024 * 1024
const NOW = new Date(2026, 10, 15, 12).getTime()
const form = (more: Partial<TokenForm> = {}): TokenForm => ({ ...EMPTY_FORM, name: 'Bot', ...more })
const token: TokenOnWire = {
  id: 'x',
  name: 'Bot',
  praefix: 'items/',
  darf_loeschen: true,
  max_datei: 50 * MB,
  kontingent: 2048 * MB,
  arten: ['bilder', 'video'],
  gueltig_bis: new Date(2026, 11, 24, 18, 30).getTime(),
  max_kante: 2560,
  exif_entfernen: false,
  ueberschriebene_behalten: true,
  darf_lesen: true,
  erstellt_am: 0,
  zuletzt_benutzt: null,
  dateien: 0,
  bytes: 0,
}

describe('what is wrong', () => {
  test.each([
    [{}, {}],
    [{ name: '  ' }, { name: 'nameMissing' }],
    [{ name: 'x'.repeat(101) }, { name: 'nameLong' }],
    [{ praefix: 'items/waffen/' }, {}],
    [{ praefix: 'mein ordner' }, { praefix: 'folderInvalid' }],
    [{ praefix: '../x' }, { praefix: 'folderInvalid' }],
    [{ praefix: 'a/b/c/d/e/f/g/h' }, { praefix: 'folderInvalid' }],
    [{ max_datei: { text: 'viel', unit: 'MB' } }, { max_datei: 'noSize' }],
    [{ kontingent: { text: '0', unit: 'GB' } }, { kontingent: 'noSize' }],
    [{ gueltig_bis: '2026-11-15' }, {}],
    [{ gueltig_bis: '2026-11-14' }, { gueltig_bis: 'dayOver' }],
    [{ gueltig_bis: '12026-01-01' }, { gueltig_bis: 'dayFar' }],
    [{ gueltig_bis: 'bald' }, { gueltig_bis: 'noDay' }],
    [{ max_kante: '2560' }, {}],
    [{ max_kante: '0' }, { max_kante: 'noNumber' }],
    [{ max_kante: '1,5' }, { max_kante: 'noNumber' }],
  ] as const)('%j: %j', (typed, problems) => {
    expect(problemsOf(form(typed as Partial<TokenForm>), EMPTY_FORM, NOW)).toEqual(problems)
  })

  test('not a day that was over already', () => {
    const old = form({ gueltig_bis: '2020-01-01' })
    expect(problemsOf(old, old, NOW)).toEqual({})
  })
})

describe('what is sent', () => {
  test('an empty form limits nothing', () => {
    expect(requestOf(form())).toEqual({
      name: 'Bot',
      praefix: null,
      darf_loeschen: false,
      max_datei: null,
      kontingent: null,
      arten: null,
      gueltig_bis: null,
      max_kante: null,
      exif_entfernen: null,
      ueberschriebene_behalten: null,
      darf_lesen: false,
    })
  })

  test('a token that is only looked at changes nothing', () => {
    const start = formOf(token, ',')
    expect(changesOf(start, start)).toEqual({})
    expect(requestOf(start)).toMatchObject({ praefix: 'items/', max_datei: 50 * MB, kontingent: 2048 * MB })
  })

  test('only what was changed, with null where a limit goes', () => {
    const start = formOf(token, ',')
    const changed = { ...start, praefix: '', kontingent: { text: '1,5', unit: 'GB' }, arten: [] } as const
    expect(changesOf(changed, start)).toEqual({ praefix: null, kontingent: 1536 * MB, arten: null })
  })

  test('all kinds are no limit', () => {
    const kinds = ['sonstige', 'dokumente', 'audio', 'video', 'bilder'] as const
    expect(requestOf(form({ arten: kinds })).arten).toBeNull()
    expect(requestOf(form({ arten: ['video', 'bilder'] })).arten).toEqual(['bilder', 'video'])
  })
})
