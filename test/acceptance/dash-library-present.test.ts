/** `POST /api/dash/media/vorhanden`: asks which paths are taken before files are sent. */
import { beforeAll, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { sharedLibrary } from '../support/library.ts'

const on = sharedLibrary()

beforeAll(() => on.fill('items', ['apfel.png', 'brot.png', 'tief/stein.png']))

const present = async (pfade: string[]) =>
  (await on.done<{ vorhanden: string[] }>('media/vorhanden', { pfade })).vorhanden

test('names those that are taken, once each, whatever else was asked for', async () => {
  const asked = ['items/brot.png', 'items/wasser.png', 'items/tief/stein.png', 'items/brot.png', 'kein Pfad']
  expect(await present(asked)).toEqual(['items/brot.png', 'items/tief/stein.png'])
  expect(await present(['items', 'Items/Brot.png', 'items/brot'])).toEqual([])
})

test('thousands in one request', async () => {
  const many = Array.from({ length: 9999 }, (_, at) => `items/neu-${at}.png`)
  expect(await present([...many, 'items/apfel.png'])).toEqual(['items/apfel.png'])
  await expectError(await on.post('media/vorhanden', { pfade: [...many, 'a', 'b'] }), 400)
})

test('nothing for nothing', async () => {
  await expectError(await on.post('media/vorhanden', { pfade: [] }), 400)
})
