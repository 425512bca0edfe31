import { describe, expect, test } from 'bun:test'
import type { SettingsAnswer } from '../../api/routes.ts'
import { risksOf } from './risks.ts'

const here = { host: 'media.test:8080', hostname: 'media.test' }
const settings = (PUBLIC_URL: string, FILES_HOST = '') =>
  ({ PUBLIC_URL: { wert: PUBLIC_URL }, FILES_HOST: { wert: FILES_HOST } }) as unknown as SettingsAnswer
const own = settings('http://media.test:8080')
const change = (name: 'PUBLIC_URL' | 'FILES_HOST' | 'DIENST', to: string) => ({ name, from: '', to })

describe('no question', () => {
  test.each([
    ['another setting', [change('DIENST', 'x')], settings('http://other.test', 'third.test')],
    ['the address at which the dashboard is open', [change('PUBLIC_URL', 'https://MEDIA.test:8080/f')], own],
    ['back to the default', [change('PUBLIC_URL', ''), change('FILES_HOST', '')], own],
    ['an address that the rules refuse', [change('PUBLIC_URL', 'media')], own],
    [
      'a host for files, and the address that names it',
      [change('FILES_HOST', 'files.test'), change('PUBLIC_URL', 'https://files.test')],
      own,
    ],
  ])('%s', (_, changes, before) => {
    expect(risksOf(changes, before, here)).toEqual([])
  })
})

describe('a question', () => {
  test('a host for files that hides the dashboard', () => {
    expect(risksOf([change('FILES_HOST', 'Media.test ')], own, here)).toEqual(['dashboardHidden'])
  })

  test('a host for files that addresses do not name, whichever of the two was changed', () => {
    expect(risksOf([change('FILES_HOST', 'files.test')], own, here)).toEqual(['filesElsewhere'])
    const split = settings('https://files.test', 'files.test')
    expect(risksOf([change('PUBLIC_URL', 'http://media.test:8080')], split, here)).toEqual(['filesElsewhere'])
  })

  test('an address that this browser does not show', () => {
    expect(risksOf([change('PUBLIC_URL', 'https://media.example')], own, here)).toEqual(['addressUnseen'])
    expect(risksOf([change('PUBLIC_URL', 'http://media.test:9')], own, here)).toEqual(['addressUnseen'])
  })
})
