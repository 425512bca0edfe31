import { describe, expect, test } from 'bun:test'
import { pageHeaders, sharePage } from './share.page.ts'
import type { PagedFile } from './shared-files.ts'

const file = (more: Partial<PagedFile> = {}): PagedFile => ({
  name: 'a.png',
  size: 422,
  art: 'bilder',
  url: 'http://x/f/s/a.png',
  laenge: null,
  preview: 'http://x/t/s/a.png.webp',
  ...more,
})
const page = (files: PagedFile[], options: { more?: boolean; further?: boolean; service?: string } = {}) =>
  sharePage({
    folder: 's',
    service: options.service ?? 'Fundus',
    page: { files, more: options.more ?? false },
    further: options.further ?? false,
  })

describe('a file', () => {
  test('with a preview is a picture that leads to it', () => {
    const html = page([file()])
    expect(html).toContain('<a href="http://x/f/s/a.png">')
    expect(html).toContain('<img src="http://x/t/s/a.png.webp" alt="" loading="lazy"')
    expect(html).toContain('Bild · 422 Byte')
    expect(html).not.toContain('Länge')
  })

  test('without one says what it is', () => {
    const html = page([file({ preview: null, art: 'dokumente' })])
    expect(html).not.toContain('<img')
    expect(html).toContain('<span class="picture"><svg')
    expect(html).toContain('Dokument · 422 Byte')
  })

  test.each([
    [0.3, '0:01'],
    [7.4, '0:07'],
    [59.6, '1:00'],
    [61, '1:01'],
    [3723, '1:02:03'],
  ])('of %d seconds says %s', (laenge, shown) => {
    expect(page([file({ laenge, art: 'audio' })])).toContain(`Länge ${shown}<`)
  })
})

describe('folders', () => {
  const names = (html: string) => [...html.matchAll(/class="name">([^<]*)</g)].map(([, name]) => name)
  const headings = (html: string) =>
    [...html.matchAll(/<h2.*?<span>([^<]*)<\/span> <small>([^<]*)</g)].map(([, title, count]) => [
      title,
      count,
    ])

  test('each in one piece, what lies at the top first, and a way to each', () => {
    const html = page(['a.png', 'm/x.png', 'm/y/z.png', 'm/z.png', 'z.png'].map(name => file({ name })))
    expect(names(html)).toEqual(['a.png', 'z.png', 'x.png', 'z.png', 'z.png'])
    expect(headings(html)).toEqual([
      ['Im Ordner selbst', '2 Dateien'],
      ['m', '2 Dateien'],
      ['m/y', '1 Datei'],
    ])
    for (const [, at] of html.matchAll(/href="#(o\d)"/g)) expect(html).toContain(`<h2 id="${at}">`)
    expect(html.match(/href="#o/g)).toHaveLength(2)
  })

  test('without any there is no heading, and no way to one', () => {
    const html = page([file(), file({ name: 'b.png' })])
    expect(headings(html)).toEqual([])
    expect(html).not.toContain('href="#')
  })

  test('figures only where all of it is on the page', () => {
    expect(page([file(), file()])).toContain('Fundus · 2 Dateien, 844 Byte')
    expect(page([file()], { more: true })).not.toContain('1 Datei')
    expect(page([file()], { further: true })).not.toContain('1 Datei')
  })
})

describe('nothing in it can run', () => {
  const EVIL = `"><script>alert('1')</script>&`

  test('names, addresses and the service’s own name are escaped', () => {
    const html = page([file({ name: EVIL, url: `http://x/${EVIL}`, preview: `http://x/${EVIL}` })], {
      service: EVIL,
      more: true,
    })
    expect(html).not.toContain('<script')
    expect(html).not.toContain(`"><`.concat('script'))
    expect(html.match(/&lt;script&gt;/g)!.length).toBeGreaterThanOrEqual(5)
  })

  test('the policy allows one style and pictures of the public address, and nothing else', async () => {
    const { 'Content-Security-Policy': policy = '' } = pageHeaders('https://files.example.org:8443/media')
    expect(policy).toContain("default-src 'none'; img-src 'self' https://files.example.org:8443 data:;")
    expect(policy).not.toContain('unsafe')
    const style = /<style>([\s\S]*)<\/style>/.exec(page([]))![1]!
    const digest = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(policy).toContain(`style-src 'sha256-${digest}'`)
    expect(page([file()])).not.toMatch(/ style=| on\w+=/)
  })

  test('an address that could write policies of its own is left out of it', () => {
    expect(pageHeaders("https://x;script-src'unsafe-inline'")['Content-Security-Policy']).toContain(
      "img-src 'self' data:;",
    )
  })
})

describe('further pages', () => {
  test('follow the last name', () => {
    const html = page([file(), file({ name: 'x/y&z.png' })], { more: true })
    expect(html).toContain('<a href="?nach=x%2Fy%26z.png" rel="next">Weitere Dateien</a>')
    expect(html).not.toContain('Zum Anfang')
  })

  test('lead back to the first; the last one leads no further', () => {
    const html = page([file()], { further: true })
    expect(html).toContain('Zum Anfang')
    expect(html).not.toContain('Weitere Dateien')
  })

  test('an empty folder and an empty page say so', () => {
    expect(page([])).toContain('zurzeit keine Datei')
    expect(page([], { further: true })).toContain('Keine weiteren Dateien')
  })
})
