/** SHA-256 hashes, used to identify contents, secrets and inline styles. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createHashThread, type HashThread, type ThreadHash } from './hash-thread.ts'

export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(data).digest(encoding)

/** Constant-time comparison. The hashes are compared, as they always have the same length. */
export const isSameSecret = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)))

/** Maximum bytes hashed on this thread: too few to be worth a message, or to delay the event loop. */
const MAX_ON_THIS_THREAD = 128 * 1024

/** For hashes that a request waits for. */
const urgentThread = createHashThread()
const unhurriedThread = createHashThread({ niceness: 10 })

/** The hash of a stream in constant memory; a long one is computed off the event loop. */
export class StreamHash {
  private readonly head: Uint8Array[] = []
  private held = 0
  private aside: ThreadHash | null = null

  constructor(private readonly thread: HashThread = urgentThread) {}

  /** Resolves when there is room for another chunk; the memory of this one may then be reused. */
  async add(chunk: Uint8Array): Promise<void> {
    this.held += chunk.length
    if (this.held <= MAX_ON_THIS_THREAD) {
      this.head.push(new Uint8Array(chunk))
      return
    }
    this.aside ??= this.thread.begin()
    for (const part of [...this.head.splice(0), chunk]) await this.aside.add(part)
  }

  async digest(): Promise<string> {
    return this.aside ? this.aside.digest() : sha256(Buffer.concat(this.head))
  }

  /** Gives up the hash; no effect after `digest`. */
  drop(): void {
    this.aside?.drop()
  }
}

/** With low priority, for backups and checks. */
export const unhurriedHash = () => new StreamHash(unhurriedThread)

/** Hashes a stream in constant memory. `use` gets each chunk; reading continues when it resolves. */
export async function sha256Of(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  use: (chunk: Uint8Array) => Promise<void> | void = () => {},
  hash = new StreamHash(),
): Promise<string> {
  try {
    for await (const chunk of chunks) {
      await hash.add(chunk)
      await use(chunk)
    }
    return await hash.digest()
  } finally {
    hash.drop()
  }
}
