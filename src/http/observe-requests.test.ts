import { describe, expect, test } from 'bun:test'
import { nextTurn } from '../../test/support/wait.ts'
import { createLog } from '../base/log.ts'
import { failure } from '../errors/errors.ts'
import { createRenderError } from './answers/render-error.ts'
import { createRequestObserver, type RequestScope, requestScopeOf } from './observe-requests.ts'
import { createRequestIds } from './request-id.ts'

function workshop() {
  const lines: Record<string, unknown>[] = []
  const figures: unknown[][] = []
  const ids = createRequestIds({ newId: () => 'the-id' })
  const write = (line: string) => void lines.push(JSON.parse(line))
  const log = createLog({ level: 'debug', isHumanReadable: false, write, currentRequestId: ids.currentId })
  let clock = 0
  const observer = createRequestObserver({
    ids,
    log,
    metrics: { recordAnswer: (...given) => void figures.push(given) },
    renderError: createRenderError({ log, ids }),
    clock: () => (clock += 40),
  })
  return { lines, figures, log, ...observer }
}
const ask = (method: string, path: string, headers = {}) =>
  new Request(`http://x${path}`, { method, headers })

describe('an observed request', () => {
  test('has its id in the answer and in every line', async () => {
    const { observe, log, lines } = workshop()
    const response = await observe(ask('POST', '/api/upload'), async () => {
      await nextTurn()
      log.warn('on the way')
      return new Response('fine')
    })
    expect(response.headers.get('X-Request-Id')).toBe('the-id')
    expect(lines.map(({ message, request }) => [message, request])).toEqual([
      ['on the way', 'the-id'],
      ['request', 'the-id'],
    ])
  })

  test.each([
    ['GET', 200, 'debug'],
    ['HEAD', 304, 'debug'],
    ['OPTIONS', 204, 'debug'],
    ['GET', 404, 'debug'],
    ['POST', 200, 'info'],
    ['DELETE', 403, 'info'],
    ['PATCH', 400, 'info'],
    ['GET', 500, 'warn'],
    ['POST', 503, 'warn'],
  ])('%s answered %d is one line at %s', async (method, status, level) => {
    const { observe, lines } = workshop()
    await observe(ask(method, '/api/x?apiKey=media_secret'), async () => new Response(null, { status }))
    expect(lines).toEqual([
      expect.objectContaining({ level, message: 'request', method, path: '/api/x', status, ms: 40 }),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  test.each(['media_', 'media%5F', 'MEDIA_'])(
    'does not tell a token that stands in its path: %s',
    async start => {
      const { observe, lines } = workshop()
      const secret = 'rmHB3jDmOJJ6dx_miAfHLblIhvzI-DVBYIOa7znFpq8'
      await observe(ask('DELETE', `/api/v3/file/${start}${secret}`), async () => new Response())
      expect(lines[0]?.path).toBe('/api/v3/file/media_…')
      await observe(ask('DELETE', '/api/media/a/media_cat.png'), async () => new Response())
      expect(lines[1]?.path).toBe('/api/media/a/media_cat.png')
    },
  )

  test('does not tell the key of a share link, nor a path without end', async () => {
    const { observe, lines } = workshop()
    await observe(ask('GET', '/s/key123'), async () => new Response())
    await observe(ask('GET', `/api/${'x'.repeat(5000)}`), async () => new Response())
    expect(lines[0]?.path).toBe('/s/…')
    expect(String(lines[1]?.path).length).toBeLessThan(300)
  })

  test('that throws is answered all the same; the number in the sentence is its id', async () => {
    const { observe, lines } = workshop()
    const response = await observe(ask('GET', '/api/x'), () => Promise.reject(new Error('trouble')))
    expect([response.status, response.headers.get('X-Request-Id')]).toEqual([500, 'the-id'])
    expect(await response.text()).toContain('Nummer the-id')
    expect(lines.map(line => [line.level, line.request])).toEqual([
      ['error', 'the-id'],
      ['warn', 'the-id'],
    ])
    const refused = await observe(ask('GET', '/api/x'), () => Promise.reject(failure.routeUnknown()))
    expect(refused.status).toBe(404)
  })

  test.each([
    ['1000', 1000],
    ['-5', 0],
    ['much', 0],
  ])('its figures: scope, status, time, announced length (%s)', async (length, receivedBytes) => {
    const { observe, figures } = workshop()
    const request = ask('POST', '/api/dash/upload', { 'Content-Length': length })
    await observe(request, async () => new Response(null, { status: 201 }))
    expect(figures).toEqual([['dashboard', { status: 201, durationMs: 40, receivedBytes }]])
  })
})

test.each<[string, RequestScope]>([
  ['/api/dash', 'dashboard'],
  ['/api/dash/media/a/b.png', 'dashboard'],
  ['/api/dashing', 'api'],
  ['/api/upload', 'api'],
  ['/s/abc', 'share'],
  ['/health', 'other'],
  ['/', 'other'],
])('%s is of the scope %s', (path, scope) => expect(requestScopeOf(path)).toBe(scope))

describe('settling', () => {
  test('waits for those at work, and not for ever', async () => {
    const { observe, waitForHandlers } = workshop()
    const { promise, resolve } = Promise.withResolvers<Response>()
    const running = observe(ask('GET', '/'), () => promise)
    await waitForHandlers(5)
    let done = false
    const waiting = waitForHandlers(10_000).then(() => {
      done = true
    })
    await nextTurn()
    expect(done).toBe(false)
    resolve(new Response())
    await running
    await waiting
  })

  test('with nobody at work is done at once', () => workshop().waitForHandlers(10_000))
})
