/**
 * The ShareX file of a token: created with the key, downloaded later with a placeholder, and used as ShareX
 * does.
 */
import { describe, expect, test } from 'bun:test'
import { bytesOf, expectError, expectSameBytes, read } from '../support/api.ts'
import { freshPng } from '../support/compat.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { eventually } from '../support/wait.ts'

const on = sharedServiceWithAdmin()

/** The part of a `.sxcu` file that ShareX needs for an upload. */
interface Uploader {
  Version: string
  Name: string
  DestinationType: string
  RequestMethod: string
  RequestURL: string
  Headers: Record<string, string>
  Body: string
  FileFormName: string
  URL: string
  ThumbnailURL: string
  DeletionURL?: string
  ErrorMessage: string
}

async function download(id: string): Promise<{ response: Response; uploader: Uploader }> {
  const response = await on.admin.call(`/${id}/sharex`)
  expect(response.status).toBe(200)
  return { response, uploader: (await response.json()) as Uploader }
}

/** Uploads as ShareX does: a form with one file, to the address in the file. */
function uploadAsShareX(uploader: Uploader, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const form = new FormData()
  form.set(uploader.FileFormName, new File([bytes], 'ShareX_aB3.png', { type: 'image/png' }))
  return fetch(uploader.RequestURL, {
    method: uploader.RequestMethod,
    headers: uploader.Headers,
    body: form,
  })
}

/** The last version whose files ShareX parses with the dollar syntax, in which braces have no meaning. */
const LAST_WITH_DOLLARS = [13, 7, 1]

function isNewer(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [lastMajor, lastMinor, lastPatch] = LAST_WITH_DOLLARS as [number, number, number]
  return (major - lastMajor || minor - lastMinor || patch - lastPatch) > 0
}

/**
 * The text with `{json:data.url}` and `{regex:pattern|group}` filled in, as ShareX does for a file of this
 * version.
 */
function resolve({ Version }: Uploader, text: string, answer: unknown): string {
  if (!isNewer(Version)) return text
  return text.replace(
    /\{(\w+):([^{}|\\]+)(?:\|(\d))?\}/g,
    (_, name: string, given: string, group?: string) => {
      if (name === 'regex') return new RegExp(given).exec(JSON.stringify(answer))?.[Number(group ?? 0)] ?? ''
      if (name !== 'json') throw new Error(`ShareX would not understand ${text}`)
      const value = given
        .split('.')
        .reduce<unknown>((above, key) => (above as Record<string, unknown>)[key], answer)
      return String(value)
    },
  )
}

function expectUploader(uploader: Uploader): void {
  expect(uploader.Version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(isNewer(uploader.Version)).toBe(true)
  const kinds = uploader.DestinationType.split(', ')
  for (const kind of ['ImageUploader', 'FileUploader']) expect(kinds).toContain(kind)
  expect(uploader).toMatchObject({ RequestMethod: 'POST', Body: 'MultipartFormData' })
  expect(uploader.RequestURL).toStartWith(`http://localhost:${on.service.port}/api/`)
  for (const value of Object.values(uploader)) expect(['string', 'object']).toContain(typeof value)
}

test.each([
  ['12.3.1', false],
  ['13.7.1', false],
  ['13.7.0', false],
  ['13.7.2', true],
  ['13.10.0', true],
  ['14.0.0', true],
])('a file of version %s is read in the notation with braces: %p', (version, braces) =>
  expect(isNewer(version)).toBe(braces),
)

describe('at creation', () => {
  test('with the key: an upload and its address work without touching the file', async () => {
    const { token, sharex } = await on.admin.create({ name: 'Screenshots' })
    const uploader = sharex as unknown as Uploader
    expectUploader(uploader)
    expect(uploader.Name).toContain('Screenshots')
    expect(uploader.Headers.Authorization).toContain(token)
    const bytes = await freshPng()
    const response = await uploadAsShareX(uploader, bytes)
    expect(response.status).toBe(200)
    const address = new URL(resolve(uploader, uploader.URL, await response.json()))
    expectSameBytes(await bytesOf(await read(on.service, address.pathname.slice('/f/'.length))), bytes)
  })

  test('the preview, and the page on which the file can be deleted', async () => {
    const { sharex } = await on.admin.create({ name: 'Thumbnails', praefix: 'a.b/c' })
    const uploader = sharex as unknown as Uploader
    const answer = (await (await uploadAsShareX(uploader, await freshPng())).json()) as {
      data: { url: string }
    }
    const path = new URL(answer.data.url).pathname.slice('/f/'.length)
    const thumbnail = new URL(resolve(uploader, uploader.ThumbnailURL, answer))
    expect(thumbnail.pathname).toBe(`/t/${path}.webp`)
    await eventually('the preview', async () => (await fetch(`${on.service.url}${thumbnail.pathname}`)).ok)
    const page = new URL(resolve(uploader, uploader.DeletionURL!, answer))
    expect([page.pathname, page.searchParams.get('datei')]).toEqual(['/dateien', path])
  })

  test('where files have a host of their own there is no such page', async () => {
    const { id } = await on.admin.create()
    await on.service.restart({ FILES_HOST: 'files.example.org', PUBLIC_URL: 'https://files.example.org' })
    const { uploader } = await download(id)
    await on.service.restart({ FILES_HOST: '', PUBLIC_URL: '' })
    expect([uploader.DeletionURL, uploader.ThumbnailURL]).toEqual([
      undefined,
      expect.stringMatching(/^https:\/\/files\.example\.org\/t\//),
    ])
  })

  test('an error is shown by its sentence', async () => {
    const { sharex } = await on.admin.create({ max_datei: 10 })
    const uploader = sharex as unknown as Uploader
    const response = await uploadAsShareX(uploader, await freshPng())
    expect(response.status).toBe(413)
    expect(resolve(uploader, uploader.ErrorMessage, await response.json())).toMatch(/^Die Datei .*\.$/)
  })
})

describe('the download', () => {
  test('is the same file with a placeholder for the key, offered as .sxcu', async () => {
    const { id, token, sharex } = await on.admin.create({ name: 'Für später' })
    const { response, uploader } = await download(id)
    expect(response.headers.get('content-type')).toMatch(/^application\/(json|octet-stream|x-sharex)/)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*filename="?[^"/\\]+\.sxcu"?/)
    expect(response.headers.get('cache-control')).toContain('no-store')
    expectUploader(uploader)
    const placeholder = uploader.Headers.Authorization!.replace(/^Bearer /, '')
    expect(placeholder).toMatch(/^[A-Z_]+$/)
    const filled = JSON.parse(JSON.stringify(uploader).replaceAll(placeholder, token)) as Uploader
    expect(filled as unknown).toEqual(sharex)
    expect((await uploadAsShareX(filled, await freshPng())).status).toBe(200)
  })

  test('the twin: with the placeholder still in it 401, shown by its sentence', async () => {
    const { id } = await on.admin.create()
    const { uploader } = await download(id)
    await expectError(await uploadAsShareX(uploader, await freshPng()), 401, /Token/)
  })

  test.each(['Ä 😀', '"; filename="x.exe', '../../x', 'a\\b', '...', 'zeile1 zeile2'])(
    'a name such as %j breaks neither header nor JSON',
    async name => {
      const { id } = await on.admin.create({ name })
      const { response, uploader } = await download(id)
      const header = response.headers.get('content-disposition') ?? ''
      expect(header).toMatch(/^attachment; filename="[\w.-]*\w\.sxcu"(; filename\*=[\w%'.-]+)?$/)
      expect(uploader.Name).toBe(name)
    },
  )

  test('its address follows PUBLIC_URL', async () => {
    const { id } = await on.admin.create()
    await on.service.restart({ PUBLIC_URL: 'https://media.example.org' })
    const { uploader } = await download(id)
    const made = (await on.admin.create()).sharex as unknown as Uploader
    await on.service.restart({ PUBLIC_URL: '' })
    for (const { RequestURL } of [uploader, made]) {
      expect(RequestURL).toStartWith('https://media.example.org/api/')
    }
  })
})
