/** Streams text that is made as the client takes it, so that a long list costs no more memory than a short one. */

/** The text is sent in pieces of about this many characters. */
const PIECE = 64 * 1024

/**
 * If the source throws, the stream breaks. If the reader of the stream goes away, the source is ended. `piece`: 1 sends
 * each part by itself and at once.
 */
export function textStream(parts: AsyncIterable<string>, piece = PIECE): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const source = parts[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        let ended = false
        while (!ended && text.length < piece) {
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
