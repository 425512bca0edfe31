import { describe, expect, test } from 'bun:test'
import { DEFAULT_PICTURE_SIZES } from '../../../../src/contract/files/picture-sizes.ts'
import { addressInSize, type CopyFormat, formatAddresses, responsiveHtml } from './copy-forms.ts'

const PICTURE = { path: 'items/a.png', url: 'https://x.de/f/items/a.png', art: 'bilder' } as const
const CLIP = { path: 'c.webm', url: 'https://x.de/f/c.webm', art: 'video' } as const
const SOUND = { path: 's.ogg', url: 'https://x.de/f/s.ogg', art: 'audio' } as const
const TEXT = { path: 't.txt', url: 'https://x.de/f/t.txt', art: 'dokumente' } as const

describe('one line per file', () => {
  test.each<[CopyFormat, string[]]>([
    ['text', ['https://x.de/f/items/a.png', 'https://x.de/f/c.webm', 'https://x.de/f/t.txt']],
    [
      'markdown',
      [
        '![a.png](https://x.de/f/items/a.png)',
        '[c.webm](https://x.de/f/c.webm)',
        '[t.txt](https://x.de/f/t.txt)',
      ],
    ],
    [
      'html',
      [
        '<img src="https://x.de/f/items/a.png" alt="a.png">',
        '<video src="https://x.de/f/c.webm" controls></video>',
        '<a href="https://x.de/f/t.txt">t.txt</a>',
      ],
    ],
    [
      'bbcode',
      [
        '[img]https://x.de/f/items/a.png[/img]',
        '[url=https://x.de/f/c.webm]c.webm[/url]',
        '[url=https://x.de/f/t.txt]t.txt[/url]',
      ],
    ],
  ])('%s', (form, lines) => {
    expect(formatAddresses(form, [PICTURE, CLIP, TEXT])).toBe(lines.join('\n'))
  })

  test('a sound plays in a page', () => {
    expect(formatAddresses('html', [SOUND])).toBe('<audio src="https://x.de/f/s.ogg" controls></audio>')
  })

  test('nothing in an address ends the attribute it stands in', () => {
    const odd = { ...PICTURE, url: 'https://x.de/?a=1&b="<' }
    expect(formatAddresses('html', [odd])).toBe('<img src="https://x.de/?a=1&amp;b=&quot;&lt;" alt="a.png">')
  })
})

describe('a Lua table', () => {
  test('from path to address', () => {
    expect(formatAddresses('lua', [PICTURE, CLIP])).toBe(
      '{\n  ["items/a.png"] = "https://x.de/f/items/a.png",\n  ["c.webm"] = "https://x.de/f/c.webm",\n}',
    )
  })

  test('quotes and backslashes stay text', () => {
    expect(formatAddresses('lua', [{ ...PICTURE, url: 'a"\\\nb' }])).toContain('= "a\\"\\\\\\nb",')
  })
})

describe('sizes of pictures', () => {
  const LARGE = { ...PICTURE, breite: 4000, hoehe: 3000 }

  test('the address in a size, also below a path of the public address', () => {
    expect(addressInSize({ name: 'klein' }, PICTURE)).toBe('https://x.de/b/klein/items/a.png')
    const below = { ...PICTURE, url: 'https://x.de/media/f/items/a.png' }
    expect(addressInSize({ name: 'klein' }, below)).toBe('https://x.de/media/b/klein/items/a.png')
  })

  test('srcset names every width', () => {
    expect(responsiveHtml([LARGE], DEFAULT_PICTURE_SIZES)).toBe(
      '<img src="https://x.de/b/gross/items/a.png" srcset="https://x.de/b/klein/items/a.png 320w, ' +
        'https://x.de/b/mittel/items/a.png 960w, https://x.de/b/gross/items/a.png 1920w" ' +
        'sizes="(max-width: 1920px) 100vw, 1920px" width="1920" height="1440" alt="a.png">',
    )
  })

  test('no width twice, none that the picture does not have, and none that cuts', () => {
    const cut = { name: 'quadrat', breite: 50, hoehe: 50, art: 'fuellen', format: 'auto' } as const
    const small = { ...PICTURE, breite: 500, hoehe: 1000 }
    expect(responsiveHtml([small], [cut, ...DEFAULT_PICTURE_SIZES])).toContain(
      'srcset="https://x.de/b/klein/items/a.png 160w, https://x.de/b/mittel/items/a.png 480w, https://x.de/b/gross/items/a.png 500w"',
    )
  })

  test.each([
    ['of unknown dimensions', PICTURE, DEFAULT_PICTURE_SIZES],
    ['without sizes', LARGE, []],
    ['a film', CLIP, DEFAULT_PICTURE_SIZES],
  ])('%s: plain HTML', (_, file, sizes) => {
    expect(responsiveHtml([file], sizes)).toBe(formatAddresses('html', [file]))
  })
})
