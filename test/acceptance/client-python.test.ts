/** clients/python: its single file, run by the installed Python. */
import { expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { EVERY_BYTE, sha256 } from '../support/bytes.ts'
import { useFolder } from '../support/folder.ts'
import { sharedService } from '../support/shared-service.ts'
import { needsTool } from '../support/tools.ts'

needsTool('python3')
const on = sharedService()
const folder = await useFolder()
const CLIENT = resolve(import.meta.dir, '../../clients/python')

/** Runs a script that has `client`, `Fundus` and `FundusError`; returns the lines that it prints. */
async function inPython(script: string, token = on.token): Promise<string[]> {
  const file = join(folder, 'script.py')
  const head = `import sys, io
sys.path.insert(0, ${JSON.stringify(CLIENT)})
sys.dont_write_bytecode = True
from fundus import Fundus, FundusError
client = Fundus(sys.argv[1] + '/', sys.argv[2])
`
  await writeFile(file, head + script)
  const child = Bun.spawn(['python3', file, on.service.url, token], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim().split('\n')
}

test('uploads bytes and files as they are, asks for them, deletes them', async () => {
  const lines = await inPython(`
stored = client.upload('python/a.bin', bytes(range(256)))
print(stored['path'], stored['sha256'], stored['replaced'])
file = io.BytesIO(b'before' + bytes(range(256)))
file.seek(6)
print(client.upload('python/a.bin', file)['replaced'])
print(client.exists('python/a.bin')['sha256'], client.exists('python/none.bin')['exists'])
print(client.upload('python/b.txt', b'text', mime='text/x-python')['mime'])
print(client.delete('python/a.bin')['deleted'], client.delete('python/b.txt')['deleted'])`)
  const hash = sha256(EVERY_BYTE)
  expect(lines).toEqual([
    `python/a.bin ${hash} False`,
    'True',
    `${hash} False`,
    'text/x-python',
    'python/a.bin python/b.txt',
  ])
})

test('a refusal comes with status, code and sentence', async () => {
  const token = await on.tokenWith('--prefix', 'python-only')
  const lines = await inPython(
    `
def tell(work):
    try:
        work()
    except FundusError as problem:
        print(problem.status, problem.code, problem)
tell(lambda: client.upload('other/a.txt', b'x'))
tell(lambda: client.delete('python-only/a.txt'))
client.upload('python-only/a.txt', b'x')
tell(lambda: client.upload('python-only/a.txt', b'y', overwrite=False))
tell(lambda: Fundus('http://127.0.0.1:9', 'x', attempts=1).exists('a'))`,
    token,
  )
  expect(lines).toEqual([
    '403 prefix-forbidden Dieses Token darf nur unter „python-only/“ schreiben.',
    expect.stringMatching(/^403 delete-forbidden /),
    expect.stringMatching(/^409 path-taken /),
    '0 None Der Dienst ist nicht erreichbar.',
  ])
})

test('tries again what may pass, as long as the other side asks, and not what will not', async () => {
  const lines = await inPython(`
import fundus
pauses = []
fundus.time.sleep = pauses.append
real, tries = client._send, []
def send(*order):
    tries.append(order[0])
    if len(tries) == 1:
        refused = FundusError(503, None, 'later')
        refused.retry_after = 7
        raise refused
    if len(tries) == 2:
        raise FundusError(0, None, 'no answer')
    return real(*order)
client._send = send
print(client.upload('python/again.txt', b'again')['size'], len(tries), pauses)
client._send = lambda *order: (_ for _ in ()).throw(FundusError(403, None, 'never'))
pauses.clear()
try:
    client.exists('a')
except FundusError as problem:
    print(problem, pauses)`)
  expect(lines).toEqual(['5 3 [7, 1.0]', 'never []'])
})

test('a long file goes in pieces and goes on where the line broke', async () => {
  const lines = await inPython(`
import fundus, hashlib
fundus.time.sleep = lambda seconds: None
content = hashlib.shake_256(b'long').digest(1024 * 1024) * 17
real, sent = client._send, []
def send(method, address, headers, body):
    sent.append(method)
    if sent.count('PATCH') == 2 and method == 'PATCH':
        raise FundusError(0, None, 'the line broke')
    return real(method, address, headers, body)
client._send = send
stored = client.upload('python/long.bin', content)
print(stored['path'], stored['size'], stored['url'].endswith('/f/python/long.bin'))
print(sent.count('PATCH'), sent.count('HEAD'))
print(client.exists('python/long.bin')['sha256'] == hashlib.sha256(content).hexdigest())
try:
    client.upload('python/long.bin', content, overwrite=False)
except FundusError as problem:
    print(problem.status, problem.code)`)
  expect(lines).toEqual(['python/long.bin 17825792 True', '4 1', 'True', '409 path-taken'])
})

test('makes tickets, and lists what is there', async () => {
  const token = await on.tokenWith('--prefix', 'python-list', '--may-read')
  const lines = await inPython(
    `
import urllib.request
ticket = client.ticket(ordner='python-list/in', anzahl=1)
order = urllib.request.Request(ticket['url'], data=b'by somebody else', method='PUT')
order.add_header('X-Path', 'note.txt')
print(urllib.request.urlopen(order).status)
page = client.list(unterordner=1)
print(page['gesamt'], page['dateien'][0]['path'])`,
    token,
  )
  expect(lines).toEqual(['200', '1 python-list/in/note.txt'])
})
