/** What the kernel is asked to flush before an upload is answered, observed from outside with strace. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { useFolder } from '../support/folder.ts'
import { startService } from '../support/service.ts'

const folder = await useFolder()

const CALLS = 'openat,fsync,fdatasync,rename,renameat,renameat2,write,pwrite64,writev,sendto,sendmsg'

/**
 * The system calls in the order in which they ended; those that send an answer, in the order in which they
 * began.
 */
function callsIn(trace: string): string[] {
  const begun = new Map<string, string>()
  return trace.split('\n').flatMap(line => {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (call.includes('<unfinished')) {
      begun.set(thread, call)
      return call.includes('HTTP/1.1') ? [call] : []
    }
    const whole = call.includes('resumed>') ? (begun.get(thread) ?? '') + call : call
    return call.includes('resumed>') && whole.includes('HTTP/1.1') ? [] : [whole]
  })
}

test('an upload is answered only after its bytes, its name and its row were flushed, in this order', async () => {
  const file = join(folder, 'trace')
  const wrapper = [
    'strace',
    '-D',
    '-f',
    '--seccomp-bpf',
    '-y',
    '-qq',
    '-s',
    '16',
    '-e',
    `trace=${CALLS}`,
    '-o',
    file,
  ]
  await using service = await startService({ ownProcess: true, onDisk: true, wrapper })
  const token = await service.createToken('--name', 'flushes')
  // The first is read as a whole, the second is written as it arrives.
  for (const [name, size] of [
    ['short', 10_000],
    ['long', 300_000],
  ] as const) {
    const before = (await Bun.file(file).text()).length
    const response = await fetch(`${service.url}/api/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-path': `${name}/file.bin` },
      body: new Uint8Array(size).fill(7),
    })
    expect(response.status).toBe(200)
    const calls = callsIn((await Bun.file(file).text()).slice(before))
    const after = (from: number, what: string, pattern: RegExp) => {
      const at = calls.findIndex((call, at) => at > from && pattern.test(call))
      if (at < 0) throw new Error(`${name}: ${what} is missing behind call ${from} of\n${calls.join('\n')}`)
      return at
    }
    const bytes = after(-1, 'flushing the bytes', /fsync\(\d+<.*\/staging\//)
    const renamed = after(bytes, 'the final name', /rename.*\/staging\/.*\/files\//)
    const named = after(renamed, 'flushing the folder', new RegExp(`fsync\\(\\d+<.*/files/${name}>`))
    const row = after(named, 'flushing the row', /f(data)?sync\(\d+<.*\/fundus\.db-wal>/)
    after(row, 'the answer', /HTTP\/1\.1 200/)
    expect(calls.slice(0, row).filter(call => call.includes('HTTP/1.1 200'))).toEqual([])
  }
})
