import { describe, expect, test } from 'bun:test'
import { type CopyForm, copyText } from './copy-forms.ts'

const PICTURE = { path: 'items/a.png', url: 'https://x.de/f/items/a.png', art: 'bilder' } as const
const CLIP = { path: 'c.webm', url: 'https://x.de/f/c.webm', art: 'video' } as const
const SOUND = { path: 's.ogg', url: 'https://x.de/f/s.ogg', art: 'audio' } as const
const TEXT = { path: 't.txt', url: 'https://x.de/f/t.txt', art: 'dokumente' } as const

describe('one line per file', () => {
  test.each<[CopyForm, string[]]>([
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
    expect(copyText(form, [PICTURE, CLIP, TEXT])).toBe(lines.join('\n'))
  })

  test('a sound plays in a page', () => {
    expect(copyText('html', [SOUND])).toBe('<audio src="https://x.de/f/s.ogg" controls></audio>')
  })

  test('nothing in an address ends the attribute it stands in', () => {
    const odd = { ...PICTURE, url: 'https://x.de/?a=1&b="<' }
    expect(copyText('html', [odd])).toBe('<img src="https://x.de/?a=1&amp;b=&quot;&lt;" alt="a.png">')
  })
})

describe('a Lua table', () => {
  test('from path to address', () => {
    expect(copyText('lua', [PICTURE, CLIP])).toBe(
      '{\n  ["items/a.png"] = "https://x.de/f/items/a.png",\n  ["c.webm"] = "https://x.de/f/c.webm",\n}',
    )
  })

  test('quotes and backslashes stay text', () => {
    expect(copyText('lua', [{ ...PICTURE, url: 'a"\\\nb' }])).toContain('= "a\\"\\\\\\nb",')
  })
})
