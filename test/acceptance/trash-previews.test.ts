/** Previews of files in the trash, and what is remade when a file is restored. */
import { beforeAll, expect, test } from 'bun:test'
import { bytesOf, expectError, read, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { storedFiles } from '../support/data-folder.ts'
import { isShared } from '../support/modes.ts'
import { png, tintOf } from '../support/pictures.ts'
import { sharedService } from '../support/shared-service.ts'
import { restore, throwAway, trashOf } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

const on = sharedService({ env: ADMIN_ENV })
let session = ''
beforeAll(async () => {
  session = await signIn(on.service)
})
const publicPreview = (path: string) => fetch(`${on.service.url}/t/${path}.webp`)
async function picture(path: string, tint: 'red' | 'blue' = 'red'): Promise<void> {
  await store(on.service, on.token, path, await png({ tint }))
  await eventually('the preview', async () => (await publicPreview(path)).status === 200)
}
const addressOf = async (nr: number) =>
  (await trashOf(on.service, session)).eintraege.find(entry => entry.nr === nr)?.vorschau ?? null
const preview = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${on.service.url}${address}`, { headers: { Cookie: `fundus_sitzung=${session}`, ...headers } })

test('is shown to whoever is signed in', async () => {
  await picture('x/a.png', 'blue')
  const [nr] = await throwAway(on.service, session, 'x/a.png')
  await expectError(await publicPreview('x/a.png'), 404)
  const address = (await addressOf(nr!))!
  expect(address).toBe(`/api/dash/papierkorb/vorschau/${nr}`)
  const response = await preview(address)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(await tintOf(await bytesOf(response))).toBe('blue')
})

test('also when it has followed into the trash store; nosniff, sandboxed, cached in private', async () => {
  await picture('follow.png')
  const [nr] = await throwAway(on.service, session, 'follow.png')
  // In an object store an object keeps its name.
  await eventually(
    'the preview to follow',
    async () =>
      isShared() ||
      (await storedFiles(on.service.dataDir)).some(
        name => name.startsWith('trash/') && name.includes('follow~') && name.includes('~t-'),
      ),
  )
  const response = await preview((await addressOf(nr!))!)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  const etag = response.headers.get('etag')!
  const again = await preview((await addressOf(nr!))!, { 'If-None-Match': etag })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('there is none of a file without one, of an unknown number, of nonsense', async () => {
  await store(on.service, on.token, 'plain.txt', 'text')
  const [nr] = await throwAway(on.service, session, 'plain.txt')
  expect(await addressOf(nr!)).toBeNull()
  for (const wrong of [String(nr), '999999', '0', '-1', 'x', '1e3', '%00'])
    await expectError(await dash(on.service, `papierkorb/vorschau/${wrong}`, { session }), 404)
})

test('restored, the file has preview and WebP variant again; in the trash no variant lies about', async () => {
  await picture('again/a.png', 'blue')
  const theVariant = () =>
    eventually('the variant', async () => {
      const answer = await read(on.service, 'again/a.png', { Accept: 'image/webp' })
      return answer.headers.get('content-type') === 'image/webp' && answer
    })
  await theVariant()
  const [nr] = await throwAway(on.service, session, 'again/a.png')
  const ours = async () => (await storedFiles(on.service.dataDir)).filter(name => name.includes('again'))
  await eventually(
    'original and preview to lie in the trash alone; in an object store nothing moves',
    async () => {
      if (isShared()) return true
      const names = (await ours()).map(name => name.replace(/.*\.(\w+)$/, '$1'))
      return names.sort().join() === 'png,webp' && (await ours()).every(name => name.startsWith('trash'))
    },
    8000,
  )
  await restore(on.service, session, nr!)
  expect((await read(on.service, 'again/a.png')).headers.get('content-type')).toBe('image/png')
  const variant = await theVariant()
  expect(variant.headers.get('etag')).toEndWith('-w"')
  const shown = await publicPreview('again/a.png')
  expect([shown.status, await tintOf(await bytesOf(shown))]).toEqual([200, 'blue'])
  await eventually(
    'all three to be back in their places',
    async () => {
      const roots = (await ours()).map(name => name.split(/[\\/]/)[0])
      return roots.sort().join() === 'files,files,thumbs'
    },
    8000,
  )
})
