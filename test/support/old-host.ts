/** A file host that somebody wants to leave: some files, and every way in which such a host fails. */

export interface OldHost extends Disposable {
  readonly url: string
  /** Requested paths, in order. */
  readonly asked: string[]
}

/** How one path is answered, instead of with its content at once. `busy`: 503 the first time. */
export type Mood = 'absent' | 'slow' | 'busy'

export function startOldHost(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  moods: Readonly<Record<string, Mood>> = {},
): OldHost {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1)
      const first = !asked.includes(path)
      asked.push(path)
      const content = files[path]
      const mood = moods[path]
      if (content === undefined || mood === 'absent') return new Response('no', { status: 404 })
      if (mood === 'busy' && first)
        return new Response('busy', { status: 503, headers: { 'Retry-After': '0' } })
      if (mood === 'slow') return new Response(inPieces(content))
      return new Response(content)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  }
}

async function* inPieces(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string)
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 4)) {
    await Bun.sleep(50)
    yield bytes.subarray(at, at + Math.ceil(bytes.length / 4))
  }
}
