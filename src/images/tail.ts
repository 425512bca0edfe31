/** Keeps the end of a stream, for the last lines that a process wrote. */
const TAIL_CHARACTERS = 2000

/** Reads the whole stream, so that its writer never blocks, and keeps only its end. */
export function tailOf(stream: ReadableStream<Uint8Array>): { text(): string; ended: Promise<void> } {
  let tail = ''
  const decoder = new TextDecoder()
  async function drain() {
    for await (const piece of stream)
      tail = (tail + decoder.decode(piece, { stream: true })).slice(-TAIL_CHARACTERS)
  }
  return { text: () => tail, ended: drain().catch(() => {}) }
}
