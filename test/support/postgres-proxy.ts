/**
 * A proxy between a service and PostgreSQL that reads the messages on their way (PostgreSQL manual, "Message
 * Formats"), so that a test can stop at a chosen statement, lose the answer to a COMMIT, or make a machine
 * vanish.
 */
import { createServer, connect as dial, type Socket } from 'node:net'

/**
 * What happens at a statement. `hold`: the connection stalls from that message on, in both directions, until
 * `release`. `cut`: the message does not arrive, and both sides see the connection end. `lose-answer`: the
 * message arrives and is executed, and the connection ends instead of the answer.
 */
export type Fate = 'hold' | 'cut' | 'lose-answer'

export interface Stop {
  /** Resolves when the statement arrives at the proxy. */
  readonly reached: Promise<void>
  /** Lets a held connection continue. */
  release(): void
}

export interface PostgresProxy extends AsyncDisposable {
  readonly port: number
  /** Stops the next statement that matches, once. */
  stopAt(statement: Pick<RegExp, 'test'>, fate: Fate): Stop
  /** Cancels all stops that were not reached yet. */
  forget(): void
  /**
   * Like a machine that loses power or its network: nothing passes any more, and neither side sees a
   * connection end. New connections are accepted and get no answer.
   */
  vanish(): void
  /** New connections work again; those that vanished stay dead, and the server still has them. */
  comeBack(): void
}

const STARTUP = 196_608
const SSL_REQUEST = 80_877_103

interface Rule {
  statement: Pick<RegExp, 'test'>
  fate: Fate
  reach(line: Line): void
}

/**
 * `dropSettings`: like some connection poolers, forwards only user and database of a connection's start-up
 * message.
 */
export async function startPostgresProxy(target: {
  port: number
  dropSettings?: boolean
}): Promise<PostgresProxy> {
  const lines = new Set<Line>()
  const rules: Rule[] = []
  let gone = false
  const server = createServer(client => {
    const line = createLine(client, gone ? null : dial(target.port, '127.0.0.1'), {
      rules,
      ...target,
    })
    lines.add(line)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    stopAt(statement, fate) {
      const { promise: reached, resolve } = Promise.withResolvers<void>()
      let held: Line | undefined
      rules.push({
        ...{ statement, fate },
        reach(line) {
          held = line
          resolve()
        },
      })
      return { reached, release: () => held?.resume() }
    },
    forget: () => void rules.splice(0),
    vanish() {
      gone = true
      for (const line of lines) line.swallow()
    },
    comeBack() {
      gone = false
    },
    async [Symbol.asyncDispose]() {
      for (const line of lines) line.end()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

interface Line {
  resume(): void
  /** Drops everything from now on, and closes nothing. */
  swallow(): void
  end(): void
}

/** One connection. Without a server it simulates one to a machine that is gone. */
function createLine(
  client: Socket,
  server: Socket | null,
  { rules, dropSettings = false }: { rules: Rule[]; dropSettings?: boolean },
): Line {
  /** The text of each prepared statement of this connection. */
  const prepared = new Map<string, string>()
  let state: 'open' | 'held' | 'swallowed' = server ? 'open' : 'swallowed'
  let losing = false
  const waiting: (() => void)[] = []

  const pass = (to: Socket, bytes: Buffer) => {
    if (state === 'open') to.write(bytes)
    else if (state === 'held') waiting.push(() => to.write(bytes))
  }
  const line: Line = {
    resume() {
      state = 'open'
      for (const each of waiting.splice(0)) each()
    },
    swallow() {
      state = 'swallowed'
    },
    end() {
      client.destroy()
      server?.destroy()
    },
  }

  function fromClient(message: Message): void {
    if (message.type === 'P') prepared.set(textAt(message.body, 0), textAt(message.body, 1))
    const statement = statementOf(message, prepared)
    const at = rules.findIndex(rule => statement !== null && rule.statement.test(statement))
    const [rule] = state !== 'open' || at < 0 ? [] : rules.splice(at, 1)
    if (rule) {
      if (rule.fate === 'hold') state = 'held'
      losing = rule.fate === 'lose-answer'
      if (rule.fate === 'cut') line.end()
      rule.reach(line)
    }
    pass(server!, dropSettings && message.type === '' ? withoutSettings(message) : message.bytes)
  }

  function fromServer(message: Message): void {
    if (!losing) pass(client, message.bytes)
    else if (message.type === 'C' && textAt(message.body, 0) === 'COMMIT') line.end()
  }

  client.on('data', messages({ typed: false, take: fromClient, refuse: () => client.write('N') }))
  server?.on('data', messages({ typed: true, take: fromServer }))
  for (const [one, other] of [
    [client, server],
    [server, client],
  ]) {
    one?.on('error', () => {})
    one?.on('close', () => void (state !== 'swallowed' && other?.destroy()))
  }
  return line
}

interface Message {
  /** Empty for a client's first message, which has none. */
  type: string
  body: Buffer
  /** The whole message, unchanged. */
  bytes: Buffer
}

/** Splits a stream of bytes into messages. `typed`: whether the first one has a type. */
function messages(parts: { typed: boolean; take(message: Message): void; refuse?(): void }) {
  let left = Buffer.alloc(0)
  let { typed } = parts
  return (chunk: Buffer) => {
    left = Buffer.concat([left, chunk])
    for (;;) {
      const head = typed ? 1 : 0
      if (left.length < head + 4) return
      const length = head + left.readInt32BE(head)
      if (left.length < length) return
      const bytes = left.subarray(0, length)
      left = left.subarray(length)
      const body = bytes.subarray(head + 4)
      if (!typed && body.readInt32BE(0) === SSL_REQUEST) {
        parts.refuse?.()
        continue
      }
      const type = typed ? String.fromCharCode(bytes[0]!) : ''
      if (!typed && body.readInt32BE(0) === STARTUP) typed = true
      parts.take({ type, body, bytes })
    }
  }
}

/** A client's first message with only the names that every server knows. */
function withoutSettings({ body }: Message): Buffer {
  const texts = body.toString('utf8', 4).split('\0')
  const kept = texts.flatMap((name, at) =>
    at % 2 === 0 && ['user', 'database'].includes(name) ? [name, texts[at + 1] ?? ''] : [],
  )
  const rest = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + rest.length, 0)
  head.writeInt32BE(STARTUP, 4)
  return Buffer.concat([head, rest])
}

/** The statement that this message runs: as a simple query, or by binding a prepared one. */
function statementOf({ type, body }: Message, prepared: ReadonlyMap<string, string>): string | null {
  if (type === 'Q') return textAt(body, 0)
  return type === 'B' ? (prepared.get(textAt(body, 1)) ?? null) : null
}

/** The text at this index among the zero-terminated ones with which a message begins. */
function textAt(body: Buffer, place: number): string {
  let start = 0
  for (let skipped = 0; skipped < place; skipped++) start = body.indexOf(0, start) + 1
  return body.toString('utf8', start, body.indexOf(0, start))
}
