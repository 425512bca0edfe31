/** Bodies of answers that are produced as the client reads, so that even a long one takes little memory. */

/** Approximate size of the pieces, in bytes, into which small parts are joined for sending. */
const PIECE_BYTES = 64 * 1024

/**
 * Streams the parts. If `parts` throws, the stream fails. If the client disconnects, `parts` is closed.
 * `onEnd` is called when the stream has ended, failed or been cancelled, even if nothing was read.
 */
export const byteStream = (parts: AsyncIterable<Uint8Array>, onEnd: () => void = () => {}) =>
  streamOf(gatherPieces(parts), onEnd)

/** `minPieceLength`: parts are joined until they have at least this many characters; 1 joins no parts. */
export const textStream = (parts: AsyncIterable<string>, minPieceLength = PIECE_BYTES) =>
  streamOf(encodePieces(parts, minPieceLength))

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
  let waitingParts: Uint8Array[] = []
  let length = 0
  for await (const part of parts) {
    waitingParts.push(part)
    length += part.length
    if (length < PIECE_BYTES) continue
    yield waitingParts.length === 1 ? part : Buffer.concat(waitingParts)
    waitingParts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waitingParts)
}

async function* encodePieces(
  parts: AsyncIterable<string>,
  minPieceLength: number,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const part of parts) {
    text += part
    if (text.length < minPieceLength) continue
    yield encoder.encode(text)
    text = ''
  }
  if (text !== '') yield encoder.encode(text)
}
