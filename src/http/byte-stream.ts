/** Streams bytes that are made as the client takes them, so that an answer of any length costs little memory. */

/** Small parts are sent together, in pieces of about this many bytes. */
const PIECE = 64 * 1024

/** If the source throws, the stream breaks. If the reader of the stream goes away, the source is ended. */
export function byteStream(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = parts[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const gathered: Uint8Array[] = []
        let length = 0
        let ended = false
        while (!ended && length < PIECE) {
          const next = await source.next()
          if (next.done) ended = true
          else {
            gathered.push(next.value)
            length += next.value.length
          }
        }
        if (length > 0) controller.enqueue(gathered.length === 1 ? gathered[0]! : Buffer.concat(gathered))
        if (ended) controller.close()
      },
      async cancel() {
        await source.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
