/** clients/typescript in Node and Bun; test/browser/client-typescript.test.ts has it in a browser. */
import { describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApiDocument, typesOf } from '../../clients/typescript/generate.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { useFolder } from '../support/folder.ts'
import { sharedService } from '../support/shared-service.ts'
import { bundledClient, TYPESCRIPT_CLIENT } from '../support/typescript-client.ts'

const on = sharedService()
const folder = await useFolder()

test('openapi.ts is what generate.ts makes of the document of this service', async () => {
  const document = (await (await fetch(`${on.service.url}/api/openapi.json`)).json()) as ApiDocument
  expect(await readFile(join(TYPESCRIPT_CLIENT, 'openapi.ts'), 'utf8')).toBe(typesOf(document))
})

describe.each([
  ['Node', 'node'],
  ['Bun', process.execPath],
])('%s', (_, runtime) => {
  /** Runs a script that has `fundus`, `FundusError` and `made`; returns its return value. */
  async function inRuntime(script: string, token = on.token, url = on.service.url): Promise<unknown> {
    await writeFile(join(folder, 'fundus.mjs'), await bundledClient())
    await writeFile(
      join(folder, 'run.mjs'),
      `import { createClient, FundusError, uploadWithTicket } from './fundus.mjs'
       import { openAsBlob } from 'node:fs'
       const fundus = createClient({ url: process.argv[2] + '/', token: process.argv[3], firstPause: 10 })
       const trouble = error => error instanceof FundusError ? [error.status, error.code] : String(error.name)
       process.stdout.write(JSON.stringify(await (async () => { ${script} })()))`,
    )
    const child = Bun.spawn([runtime, 'run.mjs', url, token], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  test('uploads a file from disk with progress, asks for it, deletes it', async () => {
    const content = randomBytes(3, 2_000_000)
    await writeFile(join(folder, 'big.bin'), content)
    const result = (await inRuntime(`
      const seen = []
      const file = await fundus.upload(await openAsBlob('big.bin'), {
        path: 'ts/big.bin', onProgress: (sent, total) => seen.push([sent, total]) })
      const there = await fundus.exists('ts/big.bin')
      const { deleted } = await fundus.remove('ts/big.bin')
      const gone = await fundus.exists('ts/big.bin')
      return { file, there, deleted, gone: gone.exists, first: seen[0], last: seen.at(-1) }`)) as {
      file: { sha256: string }
      there: { exists: boolean; sha256: string }
      deleted: string
      gone: boolean
      first: [number, number]
      last: [number, number]
    }
    expect(result).toMatchObject({ deleted: 'ts/big.bin', gone: false, last: [2_000_000, 2_000_000] })
    expect([result.file.sha256, result.there.sha256]).toEqual([sha256(content), sha256(content)])
    expect(result.first[0]).toBeLessThan(2_000_000)
  })

  test('a long file goes in pieces and goes on where the line broke', async () => {
    const content = randomBytes(8, 17 * 1024 * 1024)
    await writeFile(join(folder, 'long.bin'), content)
    const result = await inRuntime(`
      const sent = []
      const real = globalThis.fetch
      globalThis.fetch = async (url, order) => {
        sent.push(order.method)
        if (order.method === 'PATCH' && sent.filter(each => each === 'PATCH').length === 2) throw new Error('the line broke')
        return real(url, order)
      }
      const file = await fundus.upload(await openAsBlob('long.bin'), { path: 'ts/lang.bin' })
      const again = await fundus.upload(await openAsBlob('long.bin'), { path: 'ts/lang.bin', overwrite: false }).catch(trouble)
      return { file, again, sent }`)
    expect(result).toMatchObject({
      file: { path: 'ts/lang.bin', size: content.length, sha256: sha256(content) },
      again: [409, 'path-taken'],
      sent: ['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'PATCH', 'GET', 'POST'],
    })
  })

  test('bytes and text without a path; a path that is taken; a type of its own', async () => {
    expect(
      await inRuntime(`
        const made = await fundus.upload(new Uint8Array([1, 2, 3]))
        const typed = await fundus.upload('{}', { path: 'ts/x', mime: 'application/json' })
        const taken = await fundus.upload('y', { path: 'ts/x', overwrite: false }).catch(trouble)
        await fundus.remove('ts/x')
        return [made.path, typed.mime, taken]`),
    ).toEqual([
      expect.stringMatching(/^uploads\/[0-9a-f]{32}\.bin$/),
      'application/json',
      [409, 'path-taken'],
    ])
  })

  test('lists files, and makes a ticket with which another program uploads', async () => {
    const token = await on.tokenWith('--may-read', '--prefix', 'ts-list')
    const result = await inRuntime(
      `const { url, anzahl } = await fundus.ticket({ folder: 'ts-list/in', kinds: ['dokumente'], uses: 2, seconds: 60, maxBytes: 10, overwrite: true })
       const file = await uploadWithTicket(url, 'first', { path: 'a.txt' })
       const long = await uploadWithTicket(url, 'far too long', { path: 'b.txt' }).catch(trouble)
       await uploadWithTicket(url, 'second', { path: 'b.txt', mime: 'text/markdown' })
       const over = await uploadWithTicket(url, 'x', { path: 'c.txt' }).catch(trouble)
       const { gesamt, dateien } = await fundus.list({ subfolders: true, search: 'txt', sort: 'size', descending: true, page: 2, count: 1 })
       const outside = await fundus.list({ folder: 'elsewhere' }).catch(trouble)
       return { anzahl, path: file.path, long, over, gesamt, dateien: dateien.map(each => each.path), outside }`,
      token,
    )
    expect(result).toEqual({
      ...{ anzahl: 2, path: 'ts-list/in/a.txt', gesamt: 2, dateien: ['ts-list/in/a.txt'] },
      ...{ long: [413, 'token-file-too-large'], over: [401, 'ticket-invalid'] },
      outside: [403, 'read-outside-prefix'],
    })
  })

  test('a wrong token is not tried again; an abort ends the call', async () => {
    expect(await inRuntime(`return fundus.exists('a').catch(trouble)`, 'media_wrong')).toEqual([
      401,
      'token-missing',
    ])
    expect(
      await inRuntime(`
        const content = new Blob([new Uint8Array(30_000_000)])
        const abort = new AbortController()
        const onProgress = () => abort.abort()
        const outcome = await fundus.upload(content, { path: 'ts/cut.bin', onProgress, signal: abort.signal }).catch(trouble)
        return [outcome, (await fundus.exists('ts/cut.bin')).exists]`),
    ).toEqual(['AbortError', false])
  })

  test('what may pass is tried again, after the time that is asked for', async () => {
    let asked = 0
    using busy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        ++asked < 3
          ? Response.json({ error: 'Später.' }, { status: 503, headers: { 'Retry-After': '0' } })
          : Response.json({ exists: false, path: 'a', url: 'u' }),
    })
    const url = `http://127.0.0.1:${busy.port}`
    expect(await inRuntime(`return fundus.exists('a')`, 'x', url)).toMatchObject({ exists: false })
    expect(asked).toBe(3)
    expect(await inRuntime(`return fundus.exists('a').catch(trouble)`, 'x', 'http://127.0.0.1:9')).toEqual([
      0,
      null,
    ])
  })
})
