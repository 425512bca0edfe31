import { describe, expect, test } from 'bun:test'
import { PNG, useFetchingService } from './testing/fetching-service.ts'
import { answer } from './testing/internet.ts'

const service = await useFetchingService()
const PAGE = '<!DOCTYPE html>\n<html><body>Not found</body></html>'

describe('a page in place of the file', () => {
  const html = 'Content-Type: text/html\r\n'

  test.each([
    [PAGE, '/bild.png', '502 source-page'],
    [`\n  <!-- served by x -->\n${PAGE}`, '/bild.png', '502 source-page'],
    ['<html>', '/film.mp4', '502 source-page'],
    ['\uFEFF<HTML lang="de">', '/lied.mp3', '502 source-page'],
    [PAGE, '/dokument.pdf', '502 source-page'],
    [PAGE, '/paket.zip', '502 source-page'],
    [PAGE, '/bild.svg', '502 source-page'],
  ])('%p at %s: %s', async (body, path, expected) =>
    expect(await service.fetchFile(answer(body, html), {}, path)).toBe(expected),
  )

  test('whatever type it declares', async () =>
    expect(await service.fetchFile(answer(PAGE, 'Content-Type: image/png\r\n'))).toBe('502 source-page'))

  test('a true picture that is declared as a page is stored', async () =>
    expect(await service.fetchFile(answer(PNG, html))).toMatchObject({ path: 'bild.png', mime: 'image/png' }))

  test.each([
    ['/seite.html', 'seite.html'],
    ['/seite.htm', 'seite.htm'],
    ['/notiz.txt', 'notiz.txt'],
    ['/seite', 'seite.html'],
    ['/index.php', 'index.php'],
  ])('where a page may be, it is stored: %s', async (path, expected) =>
    expect(await service.fetchFile(answer(PAGE, html), {}, path)).toMatchObject({ path: expected }),
  )

  test('many comments are read without backtracking', async () => {
    await service.fetchFile(answer(`${'<!---->'.repeat(140)}x`))
  })
})
