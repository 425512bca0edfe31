import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { localFileRange } from '../../../storage/local/local-object.ts'
import { FileAnswer } from '../answers.ts'
import { getRequest, sha256, useFiles, useServers } from '../testing.ts'
import { loadSendfile, type SendfileOptions } from './sendfile.ts'

const { serve, connectTo } = useServers()
const { fileOf } = await useFiles()

type Loaded = ReturnType<NonNullable<SendfileOptions['loadCalls']>>

describe.skipIf(process.platform !== 'linux')('the trial of sendfile at the start', () => {
  /** The calls of this machine, one of them replaced by a faulty one. */
  function openFaulty(broken: (real: Loaded) => Partial<Loaded>, isAllowed = true) {
    const reasons: string[] = []
    const real = loadSendfile({ isAllowed: true, onUnavailable() {} }) as Loaded
    const load = () => ({ ...real, ...broken(real) })
    return {
      calls: loadSendfile({ isAllowed, onUnavailable: reason => reasons.push(reason), loadCalls: load }),
      reasons,
    }
  }

  test('passes on this machine, and leaves no descriptor open', () => {
    const before = readdirSync('/proc/self/fd').length
    const { calls, reasons } = openFaulty(() => ({}))
    expect([calls === null, reasons]).toEqual([false, []])
    expect(readdirSync('/proc/self/fd').length).toBe(before)
  })

  test.each<[string, (real: Loaded) => Partial<Loaded>, RegExp]>([
    ['sends nothing', () => ({ sendFile: () => -1 }), /EAGAIN/],
    ['ignores the offset', real => ({ sendFile: (a, b, _, d) => real.sendFile(a, b, 0, d) }), /other bytes/],
    ['loses the head', () => ({ sendBegin: (_, bytes) => bytes.length }), /EAGAIN/],
    [
      'swaps head and file',
      real => {
        let head: Uint8Array = new Uint8Array()
        return {
          sendBegin(_, bytes) {
            head = bytes
            return bytes.length
          },
          sendFile(socket, ...range) {
            const taken = real.sendFile(socket, ...range)
            real.sendBegin(socket, head)
            return taken
          },
        }
      },
      /other bytes/,
    ],
    [
      'cannot be called',
      () => ({
        socketPair: () => {
          throw new Error('no such call')
        },
      }),
      /no such call/,
    ],
  ])('fails when it %s: files are read and written, and that is reported once', async (_, broken, said) => {
    const { calls, reasons } = openFaulty(broken)
    expect(calls).toBe(null)
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).toMatch(said)
  })

  test('is not made with SENDFILE=0', () => {
    const { calls, reasons } = openFaulty(() => ({}), false)
    expect([calls, reasons]).toEqual([null, ['SENDFILE=0']])
  })

  test('a file comes whole without sendfile', async () => {
    const bytes = randomBytes(3_000_000)
    const file = fileOf('pieces', bytes)
    const { calls } = openFaulty(() => ({}), false)
    const server = serve(
      () => new FileAnswer(localFileRange(file, { start: 5, end: 3_000_000 })),
      undefined,
      {
        sendfileCalls: calls,
      },
    )
    const client = connectTo(server).send(getRequest('/') + getRequest('/'))
    for (const _ of [1, 2]) expect(sha256((await client.answer()).body)).toBe(sha256(bytes.subarray(5)))
  })
})
