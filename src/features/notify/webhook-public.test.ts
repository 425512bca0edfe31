/** The webhook as a way into the internal network: what somebody may try who chooses its address. */
import { describe, expect, test } from 'bun:test'
import { WEBHOOK_PROBLEMS } from '../../contract/service/webhook.ts'
import { createSendRequest } from '../fetch-url/request.ts'
import { answer, type Internet, PUBLIC_ADDRESS, redirect } from '../fetch-url/testing/internet.ts'
import { useInternet } from '../fetch-url/testing/use-internet.ts'
import { createWebhook } from './webhook.ts'

const { prepare } = useInternet()
const send = ({ network }: Internet, address: string) =>
  createWebhook({ send: createSendRequest(network), now: Date.now }).send(address, 'Hallo')

describe('refused before anything is dialled', () => {
  test.each([
    'http://127.0.0.1/hook',
    'http://localhost./hook',
    'http://0x7f.1/hook',
    'http://[::1]/hook',
    'http://[::ffff:10.0.0.1]:8065/hook',
    'http://10.0.0.5:8065/hooks/x',
    'https://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://intern.example/hook',
    'http://gemischt.example/hook',
  ])('%s', async address => {
    const internet = await prepare()
    internet.names.set('localhost', [['127.0.0.1']])
    internet.names.set('intern.example', [['10.0.0.1']])
    internet.names.set('gemischt.example', [[PUBLIC_ADDRESS, '127.0.0.1']])
    const { ok, status, answer: told } = await send(internet, address)
    expect({ ok, status, told }).toEqual({ ok: false, status: null, told: WEBHOOK_PROBLEMS.internal })
    expect(internet.dialledAddresses).toEqual([])
  })
})

test('a resolver that changes its answer (rebinding): the checked address is dialled, and it is asked once', async () => {
  const internet = await prepare()
  internet.names.set('wechsel.example', [[PUBLIC_ADDRESS], ['127.0.0.1']])
  internet.pages.set('wechsel.example/hook', answer('ok'))
  expect(await send(internet, 'http://wechsel.example/hook')).toMatchObject({ ok: true, status: 200 })
  expect([internet.resolvedNames, internet.dialledAddresses]).toEqual([
    ['wechsel.example'],
    [`${PUBLIC_ADDRESS} 80`],
  ])
})

test('a redirect into the house is not followed', async () => {
  const internet = await prepare()
  internet.pages.set('bilder.example/hook', redirect('http://127.0.0.1/admin', 307))
  expect(await send(internet, 'http://bilder.example/hook')).toMatchObject({
    status: 307,
    answer: WEBHOOK_PROBLEMS.redirected,
  })
  expect(internet.dialledAddresses).toEqual([`${PUBLIC_ADDRESS} 80`])
})

test('the twin: a public address gets the message, also by TLS and at a port of its own', async () => {
  const internet = await prepare()
  for (const host of ['sicher.example', 'bilder.example:8065'])
    internet.pages.set(`${host}/hooks/x?a=b`, 'HTTP/1.1 204 No Content\r\n\r\n')
  expect(await send(internet, 'https://sicher.example/hooks/x?a=b')).toMatchObject({ ok: true, status: 204 })
  expect(await send(internet, 'http://bilder.example:8065/hooks/x?a=b')).toMatchObject({
    ok: true,
    status: 204,
  })
  expect(internet.dialledAddresses).toEqual([`${PUBLIC_ADDRESS} 443`, `${PUBLIC_ADDRESS} 8065`])
  expect(internet.requests[0]).toStartWith('POST /hooks/x?a=b HTTP/1.1')
  expect(internet.requests[0]).toEndWith('{"text":"Hallo"}')
})

test('what a chat demands is heard: wait, and say why', async () => {
  const internet = await prepare()
  internet.pages.set(
    'bilder.example/hook',
    answer('slow down', 'Retry-After: 12\r\n', '429 Too Many Requests'),
  )
  expect(await send(internet, 'http://bilder.example/hook')).toMatchObject({
    ...{ status: 429, answer: 'slow down', isRetryable: true },
    pause: 12_000,
  })
})
