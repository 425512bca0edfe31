import { describe, expect, test } from 'bun:test'
import { isMediaType } from '../../contract/paths/kinds.ts'
import { typeOfPath } from './type-lookup.ts'

describe('isMediaType', () => {
  test.each([
    'image/png',
    'IMAGE/PNG',
    'application/vnd.ms-excel',
    'image/svg+xml',
    'x-custom/y.z-1',
    'a!#$&^_.+-/b.c+d',
    'text/html;charset=utf-8',
    'text/html; charset=utf-8',
    'text/html ; charset="utf-8"',
    'audio/webm;codecs=opus',
    'video/mp4; codecs="avc1.4D401E, mp4a.40.2"',
    'multipart/mixed; boundary=a; charset=b',
    'a/b; c=""',
  ])('%s is one', value => expect(isMediaType(value)).toBe(true))

  test.each([
    '',
    'image',
    'image/',
    'image/*',
    '*/*',
    '/png',
    'image/png/x',
    'image png',
    'image /png',
    'image/ png',
    ' image/png',
    'image/png ',
    'image/png,text/html',
    'image/png, text/html',
    'image/png;',
    'image/png;charset',
    'image/png;charset=',
    'image/png;=utf-8',
    'image/png;a="b',
    'image/png;a=b c',
    'image/png\r\nX-Evil: 1',
    'image/png\n',
    'image/png;a="b\r\nX-Evil: 1"',
    'bild/größe',
    '*/*;q=0.5,a/b',
    '<script>/x',
    'image/(png)',
    `image/${'x'.repeat(200)}`,
  ])('%j is no media type', value => expect(isMediaType(value)).toBe(false))

  // RFC 9110 section 5.6.4: a quoted string contains neither control characters nor characters above U+00FF.
  test.each(['a/b; c="\0"', 'a/b; c="\u0001"', 'a/b; c="\u007f"', 'a/b; c="€"'])(
    '%j is no media type',
    value => expect(isMediaType(value)).toBe(false),
  )

  test('a long and hostile value is judged without backtracking', () => {
    for (const value of [
      `a/b${';a=b'.repeat(60)}!`,
      `a/b${' ;'.repeat(90)}`,
      `a/b;a="${'x'.repeat(180)}`,
      ' '.repeat(1e6),
    ])
      expect(isMediaType(value)).toBe(false)
  })
})

test.each([
  ['a.png', 'image/png'],
  ['x/A.PNG', 'image/png'],
  ['a.jpg', 'image/jpeg'],
  ['a.jpeg', 'image/jpeg'],
  ['a.webp', 'image/webp'],
  ['a.svg', 'image/svg+xml'],
  ['a.mp4', 'video/mp4'],
  ['a.webm', 'video/webm'],
  ['a.mp3', 'audio/mpeg'],
  ['a.ogg', 'audio/ogg'],
  ['a.opus', 'audio/ogg'],
  ['a.wav', 'audio/wav'],
  ['a.pdf', 'application/pdf'],
  ['a.html', 'text/html'],
  ['a.txt', 'text/plain'],
  ['a.json', 'application/json'],
  ['a.tar.gz', 'application/gzip'],
  // The extension says nothing about the type.
  ['a', 'application/octet-stream'],
  ['a.', 'application/octet-stream'],
  ['png', 'application/octet-stream'],
  ['x.png/a', 'application/octet-stream'],
  ['a.png.', 'application/octet-stream'],
  ['a.unheard-of', 'application/octet-stream'],
  ['a.constructor', 'application/octet-stream'],
])('typeOfPath: %s is %s', (path, type) => expect(typeOfPath(path)).toBe(type))
