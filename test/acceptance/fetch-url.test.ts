/** Fetching without an internet: refused addresses. The parts have their own tests. */
import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { signedInService } from '../support/shared-service.ts'
import { storesNothing } from '../support/usage.ts'

const shared = signedInService()
const fetchUrl = (
  json: unknown,
  more: { session?: string; headers?: Record<string, string> } = { session: shared.session },
) => dash(shared.service, 'upload-url', { json, ...more })

describe('addresses that are refused, with the reason', () => {
  const own = () => `http://127.0.0.1:${shared.service.port}/health`
  test.each<[string | (() => string), RegExp]>([
    [own, /Ports 80 und 443/],
    ['http://localhost/', /„localhost“ führt zu diesem Rechner selbst/],
    ['http://localhost./', /zu diesem Rechner selbst/],
    ['http://127.0.0.1/', /zu diesem Rechner selbst/],
    ['https://127.0.0.1/', /zu diesem Rechner selbst/],
    ['http://127.1/', /zu diesem Rechner selbst/],
    ['http://0x7f.1/', /zu diesem Rechner selbst/],
    ['http://2130706433/', /zu diesem Rechner selbst/],
    ['http://017700000001/', /zu diesem Rechner selbst/],
    ['http://１２７.０.０.１/', /zu diesem Rechner selbst/],
    ['http://0.0.0.0/', /zu diesem Rechner selbst/],
    ['http://[::1]/', /„::1“ führt zu diesem Rechner selbst/],
    ['http://[::]/', /zu diesem Rechner selbst/],
    ['http://[::ffff:127.0.0.1]/', /zu diesem Rechner selbst/],
    ['http://10.0.0.1/', /in ein privates Netz/],
    ['http://172.16.0.1/', /in ein privates Netz/],
    ['http://172.31.255.255/', /in ein privates Netz/],
    ['http://192.168.1.1/', /in ein privates Netz/],
    ['http://100.64.0.1/', /in ein privates Netz/],
    ['http://[fd00::1]/', /in ein privates Netz/],
    ['http://[64:ff9b::10.0.0.1]/', /in ein privates Netz/],
    ['http://[2002:c0a8:101::]/', /in ein privates Netz/],
    ['http://169.254.169.254/latest/meta-data/', /in das eigene Netzsegment/],
    ['http://[fe80::1]/', /in das eigene Netzsegment/],
    ['http://224.0.0.1/', /zu einer Gruppenadresse/],
    ['http://255.255.255.255/', /in einen reservierten Bereich/],
    ['http://192.0.2.1/', /in einen reservierten Bereich/],
    ['http://bilder.example:8080/', /Ports 80 und 443/],
    ['https://bilder.example:8443/', /Ports 80 und 443/],
    ['http://bilder.example:22/', /Ports 80 und 443/],
    ['file:///etc/passwd', /nur http und https/],
    ['ftp://bilder.example/a.png', /nur http und https/],
    ['gopher://bilder.example/', /nur http und https/],
    ['data:text/plain,x', /nur http und https/],
    ['http://user:secret@bilder.example/', /Benutzernamen oder ein Passwort/],
    ['bilder.example/a.png', /keine vollständige Webadresse/],
    ['http://', /keine vollständige Webadresse/],
    ['http://[fe80::1%25eth0]/', /keine vollständige Webadresse/],
  ])('%p', async (url, about) => {
    await storesNothing(shared.service.dataDir, async () => {
      const response = await fetchUrl({
        url: typeof url === 'string' ? url : url(),
        ordner: 'x',
        name: 'a.png',
      })
      const sentence = await expectError(response, 400, about)
      expect(sentence).not.toContain('secret')
    })
  })

  test('a name that does not resolve', async () => {
    const response = await fetchUrl({ url: 'http://gibt-es-nicht.invalid/a.png', ordner: 'x' })
    await expectError(response, 502, /„gibt-es-nicht\.invalid“ lässt sich nicht auflösen/)
  })
})

describe('the request itself', () => {
  const url = 'http://127.0.0.1/'
  test.each<[string, unknown, RegExp]>([
    ['no address', { ordner: 'x' }, /„url“ fehlt/],
    ['a number', { url: 7, ordner: 'x' }, /„url“ muss ein Text/],
    ['a blank', { url: ' ', ordner: 'x' }, /„url“ darf nicht leer/],
    ['too long', { url: `http://x/${'a'.repeat(5000)}`, ordner: 'x' }, /„url“ darf höchstens 4096/],
    ['folder upwards', { url, ordner: '../x' }, /„ordner“ ist kein gültiger Pfad/],
    ['folder absolute', { url, ordner: '/x' }, /„ordner“ ist kein gültiger Pfad/],
    ['folder a number', { url, ordner: 7 }, /„ordner“ muss ein Text/],
    ['name with a folder', { url, ordner: 'x', name: 'a/b.png' }, /„name“ darf keinen Schrägstrich/],
    ['name hidden', { url, ordner: 'x', name: '.a' }, /Pfad ist ungültig/],
    ['name upwards', { url, ordner: 'x', name: '..' }, /Pfad ist ungültig/],
    ['too deep', { url, ordner: '1/2/3/4/5/6/7/8', name: 'a.png' }, /8 Ebenen/],
  ])('%s', async (_, json, about) => {
    await expectError(await fetchUrl(json), 400, about)
  })

  test('a target that is taken, before anybody is asked', async () => {
    const { service, token } = shared
    await fetch(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'X-Path': 'belegt/a.png' },
      body: 'x',
    })
    const order = { url: 'http://gibt-es-nicht.invalid/', ordner: 'Belegt', name: 'A.png' }
    await expectError(await fetchUrl(order), 409, /„belegt\/a\.png“ liegt schon eine Datei/)
  })
})
