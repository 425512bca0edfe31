import { describe, expect, test } from 'bun:test'
import { KINDS, type Kind, kindOf, mediaTypeEssence } from './kinds.ts'

describe('kindOf', () => {
  test.each<[Kind, string[]]>([
    ['bilder', ['image/png', 'image/jpeg', 'image/svg+xml', 'IMAGE/PNG', 'image/png; x=y', ' image/gif ']],
    ['video', ['video/mp4', 'video/webm;codecs=vp9', 'Video/Quicktime']],
    ['audio', ['audio/mpeg', 'audio/webm;codecs=opus', 'AUDIO/OGG']],
    [
      'dokumente',
      ['text/plain', 'text/html; charset=utf-8', 'application/pdf', 'Application/PDF', 'text/csv'],
    ],
    ['dokumente', ['application/json', 'application/xml', 'application/msword', 'application/epub+zip']],
    ['dokumente', ['application/vnd.openxmlformats-officedocument.wordprocessingml.document']],
    ['dokumente', ['application/vnd.oasis.opendocument.text', 'application/rtf']],
    ['sonstige', ['application/octet-stream', 'application/zip', 'font/woff2', 'model/gltf-binary', '']],
    // Types that narrowly miss each rule above.
    [
      'sonstige',
      ['images/png', 'ximage/png', 'image', 'textual/plain', 'application/pdfx', 'x/application/pdf'],
    ],
    [
      'sonstige',
      ['application/vnd.openxmlformats-officedocument', 'application/vnd.oasis.opendocumentx.text'],
    ],
    ['sonstige', ['application/x; a=image/png', ';image/png']],
  ])('%s: %p', (kind, types) => {
    for (const type of types) expect([type, kindOf(type)]).toEqual([type, kind])
  })

  test('the five kinds are those of the contract', () => {
    expect([...KINDS]).toEqual(['bilder', 'video', 'audio', 'dokumente', 'sonstige'])
  })
})

test.each([
  ['text/html', 'text/html'],
  ['Text/HTML; charset=x', 'text/html'],
  ['  text/html  ;a=b;c=d', 'text/html'],
  [';', ''],
  ['', ''],
])('essence of %j is %j', (given, expected) => expect(mediaTypeEssence(given)).toBe(expected))
