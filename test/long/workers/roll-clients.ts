/**
 * Clients of a service whose workers are being replaced: some open a connection for each request, some keep
 * theirs until an answer tells them to close it. Runs until standard input ends; prints how many requests
 * were answered, and which were not.
 */
import { Agent, request } from 'node:http'

const [url = '', token = ''] = process.argv.slice(2)
const broken: string[] = []
let answered = 0
let ended = false

function send(
  agent: Agent | false,
  path: string,
  { method = 'GET', body = '', headers = {} } = {},
): Promise<void> {
  return new Promise(resolve => {
    const fail = (why: string) => {
      broken.push(`${method} ${path}: ${why}`)
      resolve()
    }
    const sent = request(url + path, { agent, method, headers }, response => {
      response.on('error', error => fail(error.message))
      response.on('end', () => {
        if (response.statusCode !== 200) return fail(`status ${response.statusCode}`)
        answered++
        resolve()
      })
      response.resume()
    })
    sent.on('error', error => fail(error.message))
    sent.end(body)
  })
}

async function client(agent: Agent | false, number: number): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': `roll/${number}.txt` }
  while (!ended) {
    await send(agent, '/api/upload', { method: 'POST', body: `from ${number}`, headers })
    for (let n = 0; n < 5; n++) await send(agent, `/f/roll/${number}.txt`)
  }
}

const clients = Array.from({ length: 6 }, (_, number) =>
  client(number % 2 === 0 && new Agent({ keepAlive: true, maxSockets: 1 }), number),
)
for await (const _ of Bun.stdin.stream());
ended = true
await Promise.all(clients)
console.log(JSON.stringify({ answered, broken: broken.slice(0, 20) }))
process.exit()
