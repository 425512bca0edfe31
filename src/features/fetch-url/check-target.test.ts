import { describe, expect, test } from 'bun:test'
import { Failure } from '../../errors/errors.ts'
import { resolvePublicAddresses, targetOf } from './check-target.ts'

/**
 * The outcome for an address as somebody types it: a code of the catalogue, or the addresses that may be
 * dialled.
 */
async function judge(address: string, resolved: readonly string[] = []): Promise<string> {
  try {
    const url = URL.parse(address)
    if (!url) return 'fetch-address-broken'
    return (await resolvePublicAddresses(targetOf(url), async () => resolved)).join(' ')
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

const words = (text: string) => text.trim().split(/\s+/)

/**
 * Spellings that all mean this machine or its network. The URL standard normalises them, so the check must
 * too.
 */
const HIDDEN = [
  ...words(`
  http://127.0.0.1/ http://127.0.0.1:80/ https://127.0.0.1:443/ http://127.1/ http://127.0.1/
  http://127.0.0.1./ http://127.000.000.001/ http://0177.0.0.1/ http://0177.0.0.01/
  http://00000177.0.0.1/ http://0177.1/ http://0x7f.0.0.1/ http://0x7f.1/ http://0X7F.0X1/
  http://0x7f.0x0.0x0.0x1/ http://0x7f000001/ http://0x0000007f000001/ http://2130706433/
  http://017700000001/ http://127.0x1/ http://127.0.0x1/ http://127.65535/ http://0/ http://0.0/
  http://0.0.0.0/ http://0x0/ http://00/ http://0x/ http://１２７.０.０.１/ http://１２７．０．０．１/
  http://127。0。0。1/ http://127｡0｡0｡1/ http://①②⑦.0.0.1/ http://²130706433/ http://%31%32%37.0.0.1/
  http://%31%32%37%2e0%2e0%2e1/ http://127.0.0.1%2e/ http:127.0.0.1/ http:/127.0.0.1/ http:///127.0.0.1/
  HTTP://127.0.0.1/ http://127.0.0.1#@1.1.1.1/ http://127.0.0.1?@1.1.1.1/ http://[::1]/ http://[::1]:80/
  http://[0:0:0:0:0:0:0:1]/ http://[0000::0001]/ http://[::]/ http://[::0]/ http://[::127.0.0.1]/
  http://[::7f00:1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::FFFF:7F00:0001]/
  http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[64:ff9b::127.0.0.1]/ http://[2002:7f00:1::]/
  http://[fe80::1]/ http://[fd00::1]/ http://[fec0::1]/ http://[ff02::1]/ http://10.1/ http://10.0.0.1/
  http://0xa.1/ http://012.1/ http://167772161/ http://172.16.1/ http://172.31.255.255/
  http://192.168.1/ http://192.168.0.1/ http://0xc0a80001/ http://3232235521/ http://0300.0250.0.1/
  http://169.254.169.254/latest/meta-data/ http://169.254.43518/ http://0xa9fea9fe/ http://2852039166/
  http://0251.0376.0251.0376/ http://[::ffff:a9fe:a9fe]/ http://100.64.0.1/ http://255.255.255.255/
  http://4294967295/ http://0xffffffff/ http://224.0.0.1/ http://1/
`),
  'http:\\\\127.0.0.1\\x',
  'http://127.0.0.1\\@1.1.1.1/',
  'http://127.\t0.0.1/',
  'ht\ntp://127.0.0.1/',
]

const UNREADABLE = [
  ...words(`
  bilder.example/a.png //bilder.example/a.png http:// http://?x http://./ http://[fe80::1%25eth0]/
  http://[fe80::1%eth0]/ http://[::1 http://::1/ http://[1::2::3]/ http://[::ffff:0x7f.1]/
  http://[::ffff:127.1]/ http://[127.0.0.1]/ http://256.1.1.1/ http://1.1.1.256/ http://1.1.1.1.1/
  http://08.8.8.8/ http://0x100000000/ http://4294967296/ http://bilder.0x7f/ http://bilder%00.example/
  http://bilder.example%2f/ http://bilder.example:65536/ http://bilder.example:-80/
  http://bilder.example:+80/ http://bilder.example:8O/
`),
  '',
  'http://bilder example/',
]

const SCHEMES = words(`
  file:///etc/passwd file://bilder.example/a.png ftp://bilder.example/a.png gopher://bilder.example/
  data:image/png;base64,AAAA javascript:alert(1) blob:http://bilder.example/x ws://bilder.example/
  httpx://bilder.example/ about:blank view-source:http://bilder.example/
`)

const PORTS = words(`
  http://bilder.example:8080/ http://bilder.example:0/ http://bilder.example:22/
  http://bilder.example:81/ http://bilder.example:8443/ https://bilder.example:444/
  https://bilder.example:8443/ http://bilder.example:65535/ http://127.0.0.1:8080/ http://[::1]:22/
`)

const CREDENTIALS = words(`
  http://user@bilder.example/ http://user:secret@bilder.example/ http://:secret@bilder.example/
  http://1.1.1.1@bilder.example/ http://bilder.example@127.0.0.1/ http://127.0.0.1%2f@bilder.example/
  http://a@b@bilder.example/ http://bilder.example:80@127.0.0.1/
`)

describe('what is typed', () => {
  test.each(HIDDEN)('%p leads into a network that is refused', async address =>
    expect(await judge(address)).toBe('fetch-network'),
  )
  test.each(UNREADABLE)('%p is no address', async address =>
    expect(await judge(address, ['1.1.1.1'])).toBe('fetch-address-broken'),
  )
  test.each(SCHEMES)('%p: scheme', async address =>
    expect(await judge(address, ['1.1.1.1'])).toBe('fetch-scheme'),
  )
  test.each(PORTS)('%p: port', async address => expect(await judge(address, ['1.1.1.1'])).toBe('fetch-port'))
  test.each(CREDENTIALS)('%p: credentials', async address =>
    expect(await judge(address, ['1.1.1.1'])).toBe('fetch-credentials'),
  )

  test.each([
    ['http://1.1.1.1/', '1.1.1.1'],
    ['http://1.1.1.1:80/', '1.1.1.1'],
    ['http://1.1.1.1:443/', '1.1.1.1'],
    ['https://1.1.1.1:80/', '1.1.1.1'],
    ['https://1.1.1.1/', '1.1.1.1'],
    ['https://1.1.1.1:443/', '1.1.1.1'],
    ['http://1.1/', '1.0.0.1'],
    ['http://134744072/', '8.8.8.8'],
    ['http://0x08080808/', '8.8.8.8'],
    ['http://010.010.010.010/', '8.8.8.8'],
    ['http://８.８.８.８/', '8.8.8.8'],
    ['http://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
    ['http://[2606:4700:4700:0:0:0:0:1111]:80/', '2606:4700:4700::1111'],
    ['http://[::ffff:8.8.8.8]/', '::ffff:808:808'],
    [' http://1.1.1.1/ ', '1.1.1.1'],
    ['http://1.1.1.1\\@127.0.0.1/', '1.1.1.1'],
    ['http://1.1.1.1#@127.0.0.1/', '1.1.1.1'],
    ['http://1.1.1.1:080/', '1.1.1.1'],
  ])('%p may be fetched, from %s', async (address, expected) => expect(await judge(address)).toBe(expected))
})

describe('what a name resolves to', () => {
  const name = 'http://bilder.example/'

  test('public addresses of both families', async () =>
    expect(await judge(name, ['1.1.1.1', '2606:4700::1'])).toBe('1.1.1.1 2606:4700::1'))

  test.each([
    [['127.0.0.1']],
    [['1.1.1.1', '127.0.0.1']],
    [['127.0.0.1', '1.1.1.1']],
    [['1.1.1.1', '::1']],
    [['2606:4700::1', '10.0.0.1', '1.1.1.1']],
    [['1.1.1.1', 'fe80::1%eth0']],
    [['1.1.1.1', '::ffff:192.168.0.1']],
    [['1.1.1.1', '64:ff9b::a00:1']],
    [['1.1.1.1', 'rubbish']],
    [['1.1.1.1', '']],
  ])('one that is not public among %p refuses them all', async resolved =>
    expect(await judge(name, resolved)).toBe('fetch-network'),
  )

  test('nothing: it does not resolve', async () => expect(await judge(name, [])).toBe('source-unresolved'))

  test('the name is looked at by nobody: what it resolves to decides', async () => {
    expect(await judge('http://localhost/', ['1.1.1.1'])).toBe('1.1.1.1')
    expect(await judge('http://public.example/', ['127.0.0.1'])).toBe('fetch-network')
  })

  test.each([
    ['http://BILDER.example/', 'bilder.example'],
    ['http://bilder.example./', 'bilder.example'],
    ['http://bücher.example/', 'xn--bcher-kva.example'],
    ['http://ⓑilder.example/', 'bilder.example'],
    ['http://bil\tder.example/', 'bilder.example'],
  ])('%p asks for %s', async (address, host) => {
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['1.1.1.1']
    }
    await resolvePublicAddresses(targetOf(new URL(address)), resolve)
    expect(asked).toEqual([host])
  })

  test('a literal address is not asked about', async () => {
    const resolve = () => Promise.reject(new Error('asked'))
    expect(await resolvePublicAddresses(targetOf(new URL('http://1.1.1.1/')), resolve)).toEqual(['1.1.1.1'])
  })
})
