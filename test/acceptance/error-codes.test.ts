/** `X-Fehler-Code`: every error carries a stable English code beside the sentence, never in the body. */
import { expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { ADMIN_ENV, dash } from '../support/dashboard.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService({ env: ADMIN_ENV })
const codeOf = (response: Response) => response.headers.get('x-fehler-code')
const ask = (target: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(`${on.service.url}${target}`, { method, headers })

test.each<[string, string, number, string]>([
  ['a file that is not there', 'GET /f/nowhere.png', 404, 'file-absent'],
  ['a preview that is not there', 'GET /t/nowhere.png.webp', 404, 'preview-absent'],
  ['a wrong method for a file', 'PUT /f/a.png', 405, 'method-unknown'],
  ['an unknown share', 'GET /s/nobody', 404, 'share-absent'],
  ['an unknown route', 'GET /api/nowhere', 404, 'route-unknown'],
  ['a wrong method', 'POST /health', 405, 'method-unknown'],
  ['no token', 'GET /api/exists?pfad=a', 401, 'token-missing'],
  ['no key', 'POST /api/image', 401, 'token-missing'],
  ['no session', 'GET /api/dash/media', 401, 'session-missing'],
])('%s', async (_, request, status, code) => {
  const [method = '', target = ''] = request.split(' ')
  const response = await ask(target, method)
  expect(codeOf(response)).toBe(code)
  await expectError(response, status)
})

test('by two ways to one refusal it is the same word', async () => {
  const wrong = { benutzer: 'admin', passwort: 'not the password' }
  const unknown = { benutzer: 'nobody', passwort: 'not the password' }
  for (const json of [wrong, unknown])
    expect(codeOf(await dash(on.service, 'login', { json }))).toBe('login-wrong')
})

test('HEAD has it too; what is no error has none', async () => {
  expect(codeOf(await ask('/f/nowhere.png', 'HEAD'))).toBe('file-absent')
  for (const target of ['/health', '/status', '/api/openapi.json'])
    expect(codeOf(await ask(target))).toBeNull()
})

test('a page of another origin may read it, where errors cross origins', async () => {
  const Origin = 'https://game.example.org'
  for (const target of ['/f/nowhere.png', '/api/exists?pfad=a', '/api/nowhere', '/s/nobody']) {
    const response = await ask(target, 'GET', { Origin })
    expect([target, response.headers.get('access-control-expose-headers')]).toEqual([
      target,
      expect.stringContaining('X-Fehler-Code'),
    ])
  }
})

test('the API document names it with every error', async () => {
  const document = (await (await ask('/api/openapi.json')).json()) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { headers?: Record<string, unknown> }> }>
    >
  }
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods))
  const errors = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, each]) => (Number(status) >= 400 ? [each] : [])),
  )
  expect(errors.length).toBeGreaterThan(operations.length)
  for (const { headers = {} } of errors) expect(Object.keys(headers)).toEqual(['X-Fehler-Code'])
})
