/** The path rules on the wire: an invalid path is rejected, never corrected, and nothing is stored. */
import { describe, expect, test } from 'bun:test'
import { exists, expectError, read, store } from '../support/api.ts'
import { concat } from '../support/bytes.ts'
import { leavesNothing, objectFiles } from '../support/data-folder.ts'
import { head, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

const LEVELS_8 = '1/2/3/4/5/6/7/8.png'
const LENGTH_200 = `${'a'.repeat(99)}/${'b'.repeat(96)}.png`
const ONE_SEGMENT_200 = `${'c'.repeat(196)}.png`

/** Over a raw socket, because `fetch` would refuse or rewrite half of these; the path is sent as UTF-8. */
async function uploadTo(path: string | Uint8Array): Promise<Response> {
  const [before = '', after = ''] = head('POST /api/upload', {
    Authorization: `Bearer ${on.token}`,
    'X-Path': '@',
    'Content-Length': 4,
  }).split('@')
  return await sendRaw(on.service.port, concat(before, path, after, 'body'))
}

describe('accepted', () => {
  test.each([
    'a',
    '0',
    'Z9',
    'A.PNG',
    'a.b.c.tar.gz',
    'a..b.png',
    'a...',
    'a-_.png',
    'a/b-/c_/d./e.png',
    'folder.png/file',
    'thumbs/a.png.webp',
    'files/a.txt',
    'trash/1.txt',
    // Names that NTFS reserves: they are valid public paths.
    'con/nul.txt',
    'aux',
    'COM1.png',
    LEVELS_8,
    LENGTH_200,
    ONE_SEGMENT_200,
  ])('%s', async path => {
    const response = await uploadTo(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ path, replaced: false })
    expect(await (await read(on.service, path)).text()).toBe('body')
  })

  test('the measures of this table are what they claim', () => {
    expect(LEVELS_8.split('/')).toHaveLength(8)
    expect(LENGTH_200).toHaveLength(200)
    expect(ONE_SEGMENT_200).toHaveLength(200)
  })

  test('a file and a file below its name may both exist', async () => {
    await store(on.service, on.token, 'both', 'upper')
    await store(on.service, on.token, 'both/below.txt', 'lower')
    expect(await (await read(on.service, 'both')).text()).toBe('upper')
    expect(await (await read(on.service, 'both/below.txt')).text()).toBe('lower')
  })
})

describe('rejected with 400, nothing stored', () => {
  test.each([
    '',
    '/',
    '.',
    '..',
    '/a.png',
    'a/',
    'a//b.png',
    '../a.png',
    'a/../b.png',
    'a/..',
    './a.png',
    'a/./b.png',
    '.htaccess',
    'a/.hidden',
    '_a.png',
    'a/_b.png',
    '-a.png',
    'a/-b.png',
    'a\\b.png',
    '\\a.png',
    '..\\a.png',
    'C:\\a.png',
    'C:/a.png',
    'a b.png',
    'a\tb.png',
    'ä.png',
    'a/ü.png',
    '😀.png',
    'a%20b.png',
    '%2e%2e/a.png',
    '..%2fa.png',
    'a%2Fb.png',
    'a%00.png',
    'a~b.png',
    'a:b.png',
    'a?b.png',
    'a#b.png',
    'a*b.png',
    'a+b.png',
    'a,b.png',
    'a"b.png',
    '1/2/3/4/5/6/7/8/9.png',
    `${'a'.repeat(99)}/${'b'.repeat(97)}.png`,
    'd'.repeat(201),
  ])('%j', async path => {
    await leavesNothing(on.service.dataDir, async () => {
      await expectError(await uploadTo(path), 400, /Pfad/)
    })
  })

  test('a letter of Latin-1, as one byte', async () => {
    await leavesNothing(on.service.dataDir, async () => {
      await expectError(await uploadTo(Uint8Array.of(0x61, 0xe4, 0x62)), 400, /Pfad/)
    })
  })

  // The parser itself may refuse these, without a body.
  test.each([
    ['NUL', Uint8Array.of(0x61, 0, 0x62)],
    ['a bare line feed', Uint8Array.of(0x61, 0x0a, 0x62)],
    ['a bare carriage return', Uint8Array.of(0x61, 0x0d, 0x62)],
    ['DEL', Uint8Array.of(0x61, 0x7f, 0x62)],
  ])('%s in the header', async (_, path) => {
    await leavesNothing(on.service.dataDir, async () => {
      expect((await uploadTo(path)).status).toBe(400)
    })
  })
})

describe('reading', () => {
  test.each([
    '/f/',
    '/f/%',
    '/f/%zz.png',
    '/f/a%00.png',
    '/f/%00',
    '/f/%ff%fe',
    '/f/../fundus.db',
    '/f/../../etc/passwd',
    '/f/..%2ffundus.db',
    '/f/%2e%2e/fundus.db',
    '/f/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/f/..%5cfundus.db',
    '/f/..\\fundus.db',
    '/f//etc/passwd',
    '/f/%2fetc%2fpasswd',
    '/f/fundus.db',
    '/f/.env',
    '/f/a.png/',
    `/f/${'a/'.repeat(2000)}a`,
    '/t/../fundus.db',
    '/t/..%2ffundus.db.webp',
    '/t/.webp',
    '/t/',
  ])('%s finds nothing and says so', async target => {
    const response = await sendRaw(on.service.port, head(`GET ${target}`))
    const sentence = await expectError(response, 404)
    expect(sentence).not.toMatch(/SQLite|root:/)
  })

  test('the name of an object on disk is no address', async () => {
    await store(on.service, on.token, 'object/a.txt', 'secret')
    const [object] = await objectFiles(on.service.dataDir, 'object/a.txt')
    expect(object).toBeString()
    for (const address of [object!, object!.replace(/^files\//, '')]) {
      expect((await read(on.service, address)).status).toBe(404)
    }
  })

  test('percent-encoding of ordinary letters is undone', async () => {
    await store(on.service, on.token, 'enc/plain-1.txt', 'here')
    expect(await (await read(on.service, '%65nc/plain%2D1%2etxt')).text()).toBe('here')
  })

  test('it is undone once only', async () => {
    expect((await read(on.service, '%2565nc/plain-1.txt')).status).not.toBe(200)
  })

  test('a query does not belong to the path', async () => {
    await store(on.service, on.token, 'enc/query.txt', 'here')
    expect(await (await read(on.service, 'enc/query.txt?v=2')).text()).toBe('here')
    expect(await exists(on.service, on.token, 'enc/query.txt')).toBe(true)
  })
})
