import { describe, expect, test } from 'bun:test'
import { announcedDigests, checkDigests } from './digests.ts'

const HEX = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
const BASE64 = Buffer.from(HEX, 'hex').toString('base64')
const OTHER = Buffer.alloc(32, 7).toString('base64')

const digestsOf = (name: string, value: string, bodyIsFile = true) =>
  announcedDigests(new Headers({ [name]: value }), { bodyIsFile }).map(({ sha256 }) => sha256)

describe.each(['Repr-Digest', 'Content-Digest'])('%s', name => {
  test.each([
    `sha-256=:${BASE64}:`,
    `  sha-256=:${BASE64}:  `,
    `sha-512=:AAAA:, sha-256=:${BASE64}:`,
    `sha-256=:${BASE64}:,sha-512=:AAAA:`,
    `sha-256=:${OTHER}:, sha-256=:${BASE64}:`,
    `sha-256=:${BASE64}:;note="a,b"`,
    `note="sha-256=:${OTHER}:, x", sha-256=:${BASE64}:`,
    `sha-256=:${BASE64.replace('=', '')}:`,
  ])('%s is read', value => expect(digestsOf(name, value)).toEqual([HEX]))

  test.each([
    '',
    'sha-256',
    'sha-256=',
    'sha-256=::',
    `sha-256=${BASE64}`,
    `sha-256=:${HEX}:`,
    `SHA-256=:${BASE64}:`,
    `sha-256=:${BASE64.slice(0, 8)}:`,
    `sha-256=:*${BASE64}:`,
    `sha-512=:${BASE64}:`,
    `xsha-256=:${BASE64}:`,
    `md5=:${BASE64}:`,
    `"sha-256=:${BASE64}:`,
    HEX,
    '=:, ,;"',
  ])('%j is ignored', value => expect(digestsOf(name, value)).toEqual([]))
})

describe('X-Sha256', () => {
  test.each([HEX, HEX.toUpperCase(), ` ${HEX} `])('%j is read', value =>
    expect(digestsOf('X-Sha256', value)).toEqual([HEX]),
  )
  test.each(['', HEX.slice(1), `${HEX}0`, `g${HEX.slice(1)}`, BASE64, `${HEX}, ${HEX}`])(
    '%j is ignored',
    value => expect(digestsOf('X-Sha256', value)).toEqual([]),
  )
})

test('Content-Digest is about the body, so it counts only where the body is the file', () => {
  expect(digestsOf('Content-Digest', `sha-256=:${BASE64}:`, false)).toEqual([])
  expect(digestsOf('Repr-Digest', `sha-256=:${BASE64}:`, false)).toEqual([HEX])
})

test('each of them must match, and the sentence names the header', () => {
  const digests = announcedDigests(new Headers({ 'X-Sha256': HEX, 'Repr-Digest': `sha-256=:${OTHER}:` }))
  expect(() => checkDigests(digests, { sha256: HEX })).toThrow('Repr-Digest')
  expect(() => checkDigests(digests.slice(1), { sha256: HEX })).not.toThrow()
  expect(() => checkDigests([], { sha256: HEX })).not.toThrow()
})
