import { expect, test } from 'bun:test'
import { safeReturnPage } from './own-page.ts'

test.each(['/', '/papierkorb?seite=1', '/dateien?ordner=a/b&suche=//x', '/%2f%2fexample.org'])(
  '%j is a page of this dashboard',
  page => expect(safeReturnPage(page)).toBe(page),
)

test.each([
  'papierkorb',
  'https://example.org/',
  'javascript:alert(1)',
  '//example.org/',
  '/\\example.org',
  '/\t/example.org',
  '/.//example.org',
  '/..//example.org',
  '/x/..//example.org',
  '/.\\\\example.org',
])('%j leads to no other host', given => {
  const page = safeReturnPage(given)
  expect(new URL(page, 'https://fundus.example.net').host).toBe('fundus.example.net')
  expect(page).toBe('/')
})
