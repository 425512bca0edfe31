/** FILES_HOST: if empty, the host name is ignored; if set, files are served on that host only. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, read, store } from '../support/api.ts'
import { png } from '../support/pictures.ts'
import { head, sendRaw } from '../support/raw.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually } from '../support/wait.ts'

describe('set', () => {
  const on = sharedService({ env: { FILES_HOST: 'Files.Example.test' } })
  beforeAll(async () => {
    await store(on.service, on.token, 'a.txt', 'content')
    await store(on.service, on.token, 'a.png', await png())
  })
  const ask = (target: string, host: string) =>
    sendRaw(on.service.port, head(`GET ${target}`, { Host: host }))

  test.each([
    'files.example.test',
    'FILES.EXAMPLE.TEST',
    'files.example.test:8080',
    'Files.example.test:443',
  ])('%s serves', async host => {
    const response = await ask('/f/a.txt', host)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('content')
  })

  test.each([
    'localhost',
    '127.0.0.1',
    'example.test',
    'www.files.example.test',
    'files.example.test.evil.test',
    'xfiles.example.test',
    'files.example.tes',
    '',
  ])('%j answers 404, as if there were nothing', async host => {
    await expectError(await ask('/f/a.txt', host), 404)
    await expectError(await ask('/t/a.png.webp', host), 404)
  })

  test('nobody is let in by X-Forwarded-Host', async () => {
    const headers = { Host: 'other.test', 'X-Forwarded-Host': 'files.example.test' }
    await expectError(await sendRaw(on.service.port, head('GET /f/a.txt', headers)), 404)
  })

  test('If-None-Match on the wrong host tells nothing', async () => {
    const headers = { Host: 'other.test', 'If-None-Match': '*' }
    await expectError(await sendRaw(on.service.port, head('GET /f/a.txt', headers)), 404)
  })

  test('previews answer on the host', async () => {
    await eventually(
      'the preview',
      async () => (await ask('/t/a.png.webp', 'files.example.test')).status === 200,
    )
  })

  test('uploads and health go by any host', async () => {
    expect((await ask('/health', 'other.test')).status).toBe(200)
    const headers = { Authorization: `Bearer ${on.token}`, 'X-Path': 'b.txt', 'Content-Length': 1 }
    const request = `${head('POST /api/upload', { ...headers, Host: 'other.test' })}x`
    expect((await sendRaw(on.service.port, request)).status).toBe(200)
  })
})

describe('empty', () => {
  const on = sharedService()

  test.each(['localhost', 'old.example.test', 'new.example.test:8080', '[::1]:80'])(
    '%s serves the same bytes',
    async host => {
      await store(on.service, on.token, 'a.txt', 'content')
      const response = await sendRaw(on.service.port, head('GET /f/a.txt', { Host: host }))
      expect(await response.text()).toBe('content')
      expect(response.headers.get('etag')).toBe((await read(on.service, 'a.txt')).headers.get('etag'))
    },
  )
})
