import { describe, expect, test } from 'bun:test'
import { expectError, read } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { field, filePart, paths, refusedNames, send, sendOk } from '../support/ingest.ts'
import { signedInService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const shared = signedInService()
const upload = (...parts: Parameters<typeof sendOk>[2]) => sendOk(shared.service, shared.session, parts)

describe('folders that came along', () => {
  test('in the file name', async () => {
    const answer = await upload(
      field('ordner', 'ziel'),
      filePart('Urlaub/Tag 1/a.png', 'x'),
      filePart('Urlaub/B.png', 'y'),
    )
    expect(paths(answer)).toEqual(['ziel/urlaub/b.png'])
    expect(refusedNames(answer)).toEqual(['Urlaub/Tag 1/a.png'])
  })

  test('in the list `pfade`, before or after the files; an empty entry leaves the file its own name', async () => {
    const list = field('pfade', JSON.stringify(['Alben/Eins/a.png', '', 'Alben/b.png']))
    const files = ['a.png', 'Eigen.png', 'b.png'].map(name => filePart(name, `content of ${name}`))
    const expected = ['alben/eins/a.png', 'eigen.png', 'alben/b.png']
    expect(paths(await upload(field('ordner', 'vor'), list, ...files))).toEqual(
      expected.map(path => `vor/${path}`),
    )
    expect(paths(await upload(...files, list, field('ordner', 'nach')))).toEqual(
      expected.map(path => `nach/${path}`),
    )
    expect(await (await read(shared.service, 'nach/alben/b.png')).text()).toBe('content of b.png')
  })

  test.each(['../a.png', '/etc/a.png', 'C:\\bilder\\a.png', '1/2/3/4/5/6/7/8/9.png', 'a\u0000.png'])(
    '%p is refused, never corrected',
    async path => {
      await storesNothing(shared.service.dataDir, async () => {
        const answer = await upload(filePart('a.png', 'x'), field('pfade', JSON.stringify([path])))
        expect(refusedNames(answer)).toEqual([path])
        expect(answer.abgelehnt[0]!.grund).toMatch(/^Der Pfad ist ungültig/)
      })
    },
  )

  test('folder and name together must fit', async () => {
    const deep = '1/2/3/4/5/6/7'
    expect(paths(await upload(field('ordner', deep), filePart('a.png', 'x')))).toEqual([`${deep}/a.png`])
    expect(refusedNames(await upload(field('ordner', `${deep}/8`), filePart('a.png', 'x')))).toEqual([
      'a.png',
    ])
  })
})

describe('a form that is wrong as a whole stores nothing', () => {
  const good = filePart('gut.txt', 'x')
  test.each([
    ['no file', [field('ordner', 'x')], 400, /„file“/],
    ['a field `file` without a file name', [field('file', 'x')], 400, /„file“ hat keinen Dateinamen/],
    ['a file in another field', [{ ...good, name: 'datei' }], 400, /„file“/],
    ['a folder that is none', [good, field('ordner', '../x')], 400, /„ordner“/],
    ['a folder that is absolute', [good, field('ordner', '/x')], 400, /„ordner“/],
    ['a folder with a backslash', [field('ordner', 'a\\b'), good], 400, /„ordner“/],
    ['neither true nor false', [good, field('ueberschreiben', 'ja')], 400, /„ueberschreiben“/],
    ['paths that are no JSON', [good, field('pfade', 'gut.txt')], 400, /„pfade“/],
    ['paths that are no list', [good, field('pfade', '{"a":1}')], 400, /„pfade“/],
    ['paths that are no texts', [good, field('pfade', '[1]')], 400, /„pfade/],
    ['too few paths', [good, good, field('pfade', '["a"]')], 400, /„pfade“/],
    ['too many paths', [good, field('pfade', '["a","b"]')], 400, /„pfade“/],
    ['too many files', Array(1001).fill(good), 413, /höchstens 1000 Dateien/],
  ] as const)('%s', async (_, parts, status, about) => {
    await storesNothing(shared.service.dataDir, async () => {
      await expectError(await send(shared.service, shared.session, [...parts]), status, about)
    })
  })

  test('no form at all', async () => {
    const response = await dash(shared.service, 'upload', { session: shared.session, json: { file: 'x' } })
    await expectError(response, 400, /Formular/)
  })

  test('a form that is cut off', async () => {
    const { service } = shared
    await storesNothing(service.dataDir, async () => {
      const whole = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc'
      const headers = {
        'Content-Type': 'multipart/form-data; boundary=b',
        Cookie: `fundus_sitzung=${shared.session}`,
      }
      const response = await fetch(`${service.url}/api/dash/upload`, { method: 'POST', body: whole, headers })
      await expectError(response, 400)
    })
  })
})
