/**
 * A process that misuses a drop link: 100 connections that send a byte now and then, 10 000 small files with
 * names that lie, as fast as they go. Arguments are the port and the key; it prints how often it got which
 * status.
 */
import { connect } from 'node:net'
import { randomBytes } from './bytes.ts'
import { filePart } from './ingest.ts'
import { MULTIPART, multipart } from './multipart.ts'

const [port = '', key = ''] = process.argv.slice(2)
const SLOW = 100
const FILES = 10_000
const AT_ONCE = 12
/** The network of the visitor, as a trusted proxy names it. */
const FROM = '203.0.113.9'
const NAMES = [
  '../../etc/passwd',
  '.htaccess',
  'picture.png',
  'CON',
  'x.html',
  `${'a'.repeat(300)}.jpg`,
  '\u202Egnp.exe',
]

function sendSlowly(): void {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `POST /u/${key} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${FROM}\r\nContent-Length: 1000000\r\n` +
      `Content-Type: ${MULTIPART['Content-Type']}\r\n\r\n`,
  )
  const timer = setInterval(() => socket.write('-'), 200)
  socket.on('close', () => {
    clearInterval(timer)
    if (!isOver) setTimeout(sendSlowly, 500)
  })
}

const statuses: Record<number, number> = {}
let sent = 0
let isOver = false

async function flood(): Promise<void> {
  while (sent < FILES) {
    const body = multipart([filePart(NAMES[sent % NAMES.length]!, randomBytes(sent, 500 + (sent % 1000)))])
    sent++
    const headers = { ...MULTIPART, 'X-Forwarded-For': FROM }
    const answer = await fetch(`http://127.0.0.1:${port}/u/${key}`, { method: 'POST', body, headers })
    await answer.arrayBuffer()
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
  }
}

for (let at = 0; at < SLOW; at++) sendSlowly()
await Promise.all(Array.from({ length: AT_ONCE }, flood))
isOver = true
console.log(JSON.stringify(statuses))
process.exit(0)
