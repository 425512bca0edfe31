/** Text that is made as the client takes it, so that a long list costs no more memory than a short one. */

/** Sent in pieces of about this many characters. */
const PIECE = 64 * 1024

/** A source that breaks breaks the stream; one whose reader has gone is ended. */
export function textStream(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const source = parts[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        let ended = false
        while (!ended && text.length < PIECE) {
          const next = await source.next()
          if (next.done) ended = true
          else text += next.value
        }
        if (text !== '') controller.enqueue(encoder.encode(text))
        if (ended) controller.close()
      },
      async cancel() {
        await source.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
