/**
 * Waits until standard output and standard error are written, before the process exits. A pipe takes data
 * only as fast as it is read, so a process that exits without waiting truncates its output.
 */
import { errorCode } from '../base/system/error-code.ts'

export function watchOutput(stream: NodeJS.WriteStream) {
  let streamError: Error | null = null
  const streamFailure = Promise.withResolvers<void>()
  // Without a listener, an error would end the process with a stack trace.
  stream.on('error', error => {
    streamError ??= error
    streamFailure.resolve()
  })
  const isReaderGone = () => errorCode(streamError) === 'EPIPE'
  return {
    /**
     * Whether the reader of the output is still there; false once it has closed its end of the pipe, as
     * `head` does.
     */
    isRead: () => !isReaderGone(),
    /**
     * Closes the stream and waits until everything was written. Returns the error that prevented that; null
     * if there was none, or if the reader has closed its end of the pipe.
     */
    async end() {
      // Log lines are written at the end of an event loop iteration (log.ts).
      await new Promise(setImmediate)
      if (!streamError) {
        const streamEnd = Promise.withResolvers<void>()
        // The runtime reports an error only after this callback, and does not call it if the stream failed.
        stream.end(() => setImmediate(streamEnd.resolve))
        await Promise.race([streamEnd.promise, streamFailure.promise])
      }
      return isReaderGone() ? null : streamError
    },
  }
}
