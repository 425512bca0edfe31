import { describe, expect, test } from 'bun:test'
import { germanPathFault } from '../../contract/paths/path-rules.ts'
import { chooseFileName, type NameHints } from './file-name.ts'
import { PNG } from './testing/fetching-service.ts'

const ZIP = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)])
const SHA256 = 'abcdef0123456789'.repeat(4)

const nameOf = (url: string, hints: Partial<NameHints> = {}, folder = 'x') =>
  chooseFileName(
    { url: new URL(url), disposition: '', contentType: '', firstBytes: PNG, sha256: SHA256, ...hints },
    folder,
  )

describe('a name that nobody gave', () => {
  test.each([
    ['http://b.example/logo.png', 'logo.png'],
    ['http://b.example/a/b/LOGO.PNG?x=/y.gif#z', 'logo.png'],
    ['http://b.example/foto.jpeg', 'foto.jpeg'],
    ['http://b.example/Mein%20Bild%20(1).png', 'mein-bild-1.png'],
    ['http://b.example/gr%C3%BC%C3%9Fe.png', 'gr-e.png'],
    ['http://b.example/a%2F..%2F..%2Fevil.png', 'evil.png'],
    ['http://b.example/a%5C..%5Cevil.png', 'evil.png'],
    ['http://b.example/%00.png', 'abcdef012345.png'],
    ['http://b.example/%zz.png', 'zz.png'],
    ['http://b.example/.htaccess', 'htaccess.png'],
    ['http://b.example/___.png', 'abcdef012345.png'],
    ['http://b.example/', 'abcdef012345.png'],
    ['http://b.example/ordner/', 'abcdef012345.png'],
    ['http://b.example/%E6%97%A5%E6%9C%AC', 'abcdef012345.png'],
    ['http://b.example/bild', 'bild.png'],
    ['http://b.example/release-1.2', 'release-1.2.png'],
    ['http://b.example/foto.php?id=3', 'foto.png'],
    ['http://b.example/foto.txt', 'foto.png'],
    ['http://b.example/shot.undefined', 'shot.undefined.png'],
  ])('%s → %s', async (url, expected) => expect(await nameOf(url)).toBe(expected))

  test.each([
    ['attachment; filename="Bericht 7.png"', 'bericht-7.png'],
    ['attachment; filename=kurz.png', 'kurz.png'],
    ["attachment; filename=alt.png; filename*=UTF-8''Gr%C3%BCn.png", 'gr-n.png'],
    ["inline; FILENAME*=utf-8'de'neu.png", 'neu.png'],
    ['attachment; filename="a\\"b.png"', 'a-b.png'],
    ['attachment; filename="../../etc/passwd"', 'passwd.png'],
    ['attachment; filename="C:\\\\x\\\\y.png"', 'y.png'],
    ['attachment; filename=""', 'adresse.png'],
    ['attachment; filename="..."', 'adresse.png'],
    ['attachment', 'adresse.png'],
    ["attachment; filename*=UTF-8''%zz", 'zz.png'],
  ])('%s → %s', async (disposition, expected) =>
    expect(await nameOf('http://b.example/adresse.png', { disposition })).toBe(expected),
  )

  test.each([
    // [address, first bytes, declared type, expected]
    ['http://b.example/brief.docx', ZIP, 'application/zip', 'brief.docx'],
    ['http://b.example/daten', ZIP, 'text/plain', 'daten.zip'],
    ['http://b.example/notiz', Buffer.from('hello'), 'text/plain; charset=utf-8', 'notiz.txt'],
    ['http://b.example/lied', Buffer.from('hello'), 'audio/mpeg', 'lied.mp3'],
    ['http://b.example/etwas', Buffer.from('hello'), '', 'etwas.bin'],
    ['http://b.example/etwas', Buffer.from('hello'), 'rubbish', 'etwas.bin'],
    // An extension that no table knows is kept if neither the content nor the type suggests another.
    ['http://b.example/tex.YTD', Buffer.from('hello'), '', 'tex.ytd'],
    ['http://b.example/tex.ytd', Buffer.from('hello'), 'application/octet-stream', 'tex.ytd'],
    ['http://b.example/tex.ytd', Buffer.from('hello'), 'text/html', 'tex.ytd.html'],
    ['http://b.example/tex.undefined', Buffer.from('hello'), '', 'tex.undefined.bin'],
    ['http://b.example/bild.jpg', PNG, 'image/jpeg', 'bild.jpg'],
    ['http://b.example/film.mp4', PNG, 'video/mp4', 'film.mp4'],
  ])('%s with other bytes', async (url, head, contentType, expected) =>
    expect(await nameOf(url, { firstBytes: head, contentType })).toBe(expected),
  )

  test.each(['', 'x', '1/2/3/4/5/6/7', `${'y'.repeat(100)}/${'z'.repeat(80)}`])(
    'always fits below %p',
    async folder => {
      const name = await nameOf(`http://b.example/${'a'.repeat(500)}.png`, {}, folder)
      expect(germanPathFault(folder === '' ? name : `${folder}/${name}`)).toBeNull()
    },
  )
})
