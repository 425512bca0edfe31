import { describe, expect, test } from 'bun:test'
import { SHARE_ZIP_MAX_BYTES, SHARE_ZIP_MAX_FILES } from '../../contract/values/input-limits.ts'
import { pageHeaders } from './page-frame.ts'
import { type SharePageView, sharePage } from './share.page.ts'
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
const page = (
  files: PagedFile[],
  { more = false, ...options }: Partial<SharePageView> & { more?: boolean } = {},
) =>
  sharePage({
    ...{
      shareKey: 'k',
      publicUrl: 'http://x',
      language: 'de',
      folder: 's',
      subfolder: '',
      serviceName: 'Fundus',
    },
    ...{ validUntil: null, folders: [], page: { files, hasMore: more }, isLaterPage: false },
    totals: { files: files.length, bytes: 422 * files.length },
    ...options,
  })

describe('a file', () => {
  test('with a preview is a picture that leads to it', () => {
    const html = page([file()])
    expect(html).toContain('<a href="http://x/f/s/a.png" data-kind="bilder" data-name="a.png">')
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
    [...html.matchAll(/<h2.*?<span>(.*?)<\/span> <small>([^<]*)</g)].map(([, title, count]) => [title, count])

  test('each in one piece, what lies at the top first; its heading leads to it', () => {
    const html = page(['a.png', 'm/x.png', 'm/y/z.png', 'm/z.png', 'z.png'].map(name => file({ name })))
    expect(names(html)).toEqual(['a.png', 'z.png', 'x.png', 'z.png', 'z.png'])
    expect(headings(html)).toEqual([
      ['Im Ordner selbst', '2 Dateien'],
      ['<a href="?ordner=m">m</a>', '2 Dateien'],
      ['<a href="?ordner=m%2Fy">m/y</a>', '1 Datei'],
    ])
  })

  test('those inside are links, whatever files this page has; in one of them the way up is', () => {
    const folders = [{ name: 'tief', files: 3, bytes: 9 }]
    const top = page([file()], { folders })
    expect(top).toContain('<a href="?ordner=tief">')
    expect(top).not.toContain('class="way"')
    const inner = page([file()], { folders, subfolder: 'm/y' })
    expect(inner).toContain('<a href="?ordner=m%2Fy%2Ftief">')
    expect(inner).toContain('<h1>Ordner „y“</h1>')
    expect(inner).toContain('<li><a href="?">s</a></li><li><a href="?ordner=m">m</a></li>')
  })

  test('without any there is no heading', () => {
    const html = page([file(), file({ name: 'b.png' })])
    expect(headings(html)).toEqual([])
    expect(html).not.toContain('class="folders"')
  })

  test('figures are of all files, not only of those on the page', () => {
    expect(page([file()], { totals: { files: 1300, bytes: 5000 }, more: true })).toContain(
      'Fundus · 1.300 Dateien, 4,88 KB',
    )
  })
})

describe('nothing in it can run', () => {
  const EVIL = `"><script>alert('1')</script>&`

  test('names, addresses and the service’s own name are escaped', () => {
    const html = page([file({ name: EVIL, url: `http://x/${EVIL}`, preview: `http://x/${EVIL}` })], {
      serviceName: EVIL,
      more: true,
    })
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toContain("alert('1')")
    expect(html.match(/&lt;script&gt;/g)!.length).toBeGreaterThanOrEqual(5)
  })

  test('the policy allows one style, one script and media of the public address, and nothing else', async () => {
    const { 'Content-Security-Policy': policy = '' } = pageHeaders('https://files.example.org:8443/media')
    expect(policy).toContain("default-src 'none'; img-src 'self' https://files.example.org:8443 data:;")
    expect(policy).not.toContain('unsafe')
    const style = /<style>([\s\S]*)<\/style>/.exec(page([]))![1]!
    const digest = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(policy).toContain(`style-src 'sha256-${digest}'`)
    const script = /<script>([\s\S]*)<\/script>/.exec(page([]))![1]!
    const scriptDigest = new Bun.CryptoHasher('sha256').update(script).digest('base64')
    expect(policy).toContain(`script-src 'sha256-${scriptDigest}';`)
    expect(policy).toContain("media-src 'self' https://files.example.org:8443;")
    expect(page([file()]).replace(script, '')).not.toMatch(/ style=| on\w+=/)
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
    const html = page([file()], { isLaterPage: true })
    expect(html).toContain('Zum Anfang')
    expect(html).not.toContain('Weitere Dateien')
  })

  test('an empty folder and an empty page say so', () => {
    expect(page([])).toContain('zurzeit keine Datei')
    expect(page([], { isLaterPage: true })).toContain('Keine weiteren Dateien')
  })
})

describe('in English', () => {
  test('every word', () => {
    const html = page([file({ art: 'video', laenge: 61 }), file({ name: 'm/b.png' })], {
      ...{ language: 'en', more: true, subfolder: 'in', validUntil: Date.UTC(2027, 0, 2, 12) },
      folders: [{ name: 'm', files: 1, bytes: 422 }],
    })
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('Folder “in”')
    expect(html).toContain(
      'Shared by Fundus · 2 files, 844 bytes · available until <time datetime="2027-01-02T12:00:00.000Z" data-locale="en-GB">2 January 2027',
    )
    expect(html).toContain('Video · 422 bytes')
    expect(html).toContain('Everything as ZIP')
    expect(html).not.toMatch(/[äöüß„]|Ordner|Datei|Bild |Länge|Seiten/)
  })
})

describe('the ZIP', () => {
  test('of the folder that is shown', () => {
    expect(page([file()])).toContain('<a href="k/zip" class="button">Alles als ZIP</a>')
    expect(page([file()], { subfolder: 'm/y' })).toContain('href="k/zip?ordner=m%2Fy"')
    expect(page([])).not.toContain('zip"')
  })

  test.each([[{ files: SHARE_ZIP_MAX_FILES + 1, bytes: 5 }], [{ files: 1, bytes: SHARE_ZIP_MAX_BYTES + 1 }]])(
    'above the bound %j a sentence instead',
    figures => {
      const html = page([file()], { totals: figures })
      expect(html).toContain('höchstens 5.000 Dateien und 4 GB')
      expect(html).not.toContain('k/zip')
    },
  )

  test('at the bound it is there', () => {
    const figures = { files: SHARE_ZIP_MAX_FILES, bytes: SHARE_ZIP_MAX_BYTES }
    expect(page([file()], { totals: figures })).toContain('k/zip')
  })
})

describe('for the preview of a link in a chat', () => {
  const property = (html: string, name: string) =>
    new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(html)?.[1]

  test('title, figures, address, and the first picture', () => {
    const html = page([file({ art: 'video', preview: 'http://x/t/s/v.webp' }), file()])
    expect(property(html, 'title')).toBe('Ordner „s“')
    expect(property(html, 'site_name')).toBe('Fundus')
    expect(property(html, 'url')).toBe('http://x/s/k')
    expect(property(html, 'description')).toContain('2 Dateien')
    expect(property(html, 'image')).toBe('http://x/t/s/a.png.webp')
  })

  test('no picture where there is none', () => {
    const html = page([file({ preview: null })])
    expect(property(html, 'image')).toBeUndefined()
    expect(html).toContain('<meta name="twitter:card" content="summary">')
  })
})
