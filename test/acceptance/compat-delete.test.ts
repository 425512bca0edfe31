/** Deleting by id, in every spelling: requires the delete right, applies below the prefix, and is final. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { file, freshPng, put, removeById } from '../support/compat.ts'
import { objectFiles, storedFiles } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService()
const SPELLINGS = [
  '/api/v3/file',
  ...['image', 'video', 'audio'].flatMap(kind => [`/api/${kind}/delete`, `/api/${kind}`]),
]

let writer = ''
let narrow = ''
beforeAll(async () => {
  writer = await on.service.createToken()
  narrow = await on.service.createToken('--may-delete', '--prefix', 'mine')
})

const picture = async (token = on.token, route = '/api/image') =>
  put(on.service, route, token, [file('image', await freshPng())])

describe.each(SPELLINGS)('DELETE %s/<id>', spelling => {
  test("answers exactly {status: 'ok'}, and the file is gone", async () => {
    const { id, path } = await picture()
    const response = await removeById(on.service, on.token, spelling, id)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
    await expectError(await read(on.service, path), 404)
  })

  test('a second time: 404', async () => {
    const { id } = await picture()
    expect((await removeById(on.service, on.token, spelling, id)).status).toBe(200)
    await expectError(await removeById(on.service, on.token, spelling, id), 404)
  })

  test.each([
    ['unknown', 'nosuchid'],
    ['a number', '0'],
    ['two dots', '..'],
    ['a null byte', '%00'],
    ['a slash', 'a%2Fb'],
    ['SQL', "'%20or%201=1"],
    ['endless', 'x'.repeat(1000)],
  ])('an id that is none, 404: %s', async (_, id) => {
    await expectError(await removeById(on.service, on.token, spelling, id), 404)
  })

  test('a path is no id: 404, and the file stays', async () => {
    const { path } = await picture()
    await expectError(await removeById(on.service, on.token, spelling, encodeURIComponent(path)), 404)
    expect((await read(on.service, path)).status).toBe(200)
  })

  test('without the delete right: 403, and the file stays', async () => {
    const { id, path } = await picture(writer)
    await expectError(await removeById(on.service, writer, spelling, id), 403, /löschen/)
    expect((await read(on.service, path)).status).toBe(200)
  })

  test('without the delete right 403 also for what is not there: nothing is told', async () => {
    await expectError(await removeById(on.service, writer, spelling, 'nosuchid'), 403)
  })

  test('outside the prefix: 403, and the file stays; below it: 200', async () => {
    const [mine, other] = [await picture(narrow), await picture()]
    await expectError(await removeById(on.service, narrow, spelling, other.id), 403, /„mine\/“/)
    expect((await read(on.service, other.path)).status).toBe(200)
    expect((await removeById(on.service, narrow, spelling, mine.id)).status).toBe(200)
  })
})

test('for good: its objects go too, there is no trash for it', async () => {
  // Audio, because no derived file is made of it that could still be pending.
  const { id, path } = await put(on.service, '/api/audio', on.token, [file('audio', media('tone.mp3'))])
  expect(await objectFiles(on.service.dataDir, path)).toHaveLength(1)
  await removeById(on.service, on.token, '/api/audio/delete', id)
  const isGone = async () => (await objectFiles(on.service.dataDir, path)).length === 0
  await eventually('its objects are gone', isGone)
  const left = (await storedFiles(on.service.dataDir)).filter(name => name.includes(id))
  expect(left).toEqual([])
})

test('whichever generation stored it: the id is the same thing', async () => {
  for (const route of ['/api/image', '/api/v2/image', '/api/v3/file']) {
    const { id, path } = await picture(on.token, route)
    expect((await removeById(on.service, on.token, '/api/v3/file', id)).status).toBe(200)
    expect((await read(on.service, path)).status).toBe(404)
  }
})

test('after deleting, the same content can be stored again under the same name', async () => {
  const content = await freshPng()
  const first = await put(on.service, '/api/image', on.token, [file('image', content)])
  await removeById(on.service, on.token, '/api/v3/file', first.id)
  const second = await put(on.service, '/api/image', on.token, [file('image', content)])
  expect(second.path).toBe(first.path)
  expect((await read(on.service, second.path)).status).toBe(200)
})

test('an id whose file was overwritten with other content does not delete that content', async () => {
  const { id, path } = await picture()
  await store(on.service, on.token, path, 'other content')
  await expectError(await removeById(on.service, on.token, '/api/v3/file', id), 404)
  expect(await (await read(on.service, path)).text()).toBe('other content')
})
