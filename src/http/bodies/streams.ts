/** Answers that are produced as the client reads, so that their length costs no memory. */

/** Approximate size in bytes of the pieces into which small parts are joined for sending. */
const PIECE = 64 * 1024

/**
 * If the source throws, the stream fails. If the client leaves, the source is closed. `onEnd` is called once
 * in every case, even if nothing of the stream was read.
 */
export const byteStream = (parts: AsyncIterable<Uint8Array>, onEnd: () => void = () => {}) =>
  streamOf(gatherPieces(parts), onEnd)

/** `piece`: the approximate size of the sent pieces; with 1, each part is sent at once. */
export const textStream = (parts: AsyncIterable<string>, piece = PIECE) =>
  streamOf(encodePieces(parts, piece))

const streamOf = (pieces: AsyncGenerator<Uint8Array>, onEnd: () => void = () => {}) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next().catch(error => {
          onEnd()
          throw error
        })
        if (!next.done) {
          controller.enqueue(next.value)
          return
        }
        onEnd()
        controller.close()
      },
      async cancel() {
        onEnd()
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )

async function* gatherPieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const part of parts) {
    waiting.push(part)
    length += part.length
    if (length < PIECE) continue
    yield waiting.length === 1 ? part : Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}

async function* encodePieces(parts: AsyncIterable<string>, piece: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const part of parts) {
    text += part
    if (text.length < piece) continue
    yield encoder.encode(text)
    text = ''
  }
  if (text !== '') yield encoder.encode(text)
}
