import { expect, test } from 'bun:test'
import { parseTarget } from './target.ts'

test.each([
  ['https://media.example.org', 'https://media.example.org', ''],
  ['https://media.example.org/', 'https://media.example.org', ''],
  ['https://media.example.org:8443/Bilder/Neu/', 'https://media.example.org:8443', 'bilder/neu'],
  ['media.example.org/items', 'https://media.example.org', 'items'],
  ['localhost:8080/items', 'http://localhost:8080', 'items'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
  ['[::1]:8080/a', 'http://[::1]:8080', 'a'],
  ['http://example.org/a', 'http://example.org', 'a'],
])('%s is %s and %j', (text, origin, prefix) => expect(parseTarget(text)).toEqual({ origin, prefix }))

test.each([
  '',
  'ftp://example.org',
  'https://',
  'https://a b',
  'https://h/_x',
  'https://h/a%20b',
  'https://u:p@h/a',
  'https://h/a?b=1',
])('%j is refused with a clause', text => expect(parseTarget(text)).toHaveProperty('problem'))
