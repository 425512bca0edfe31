/**
 * For tests: fetches files from a fake internet, which `prepare` opens and which is closed after each test.
 */
import { afterEach } from 'bun:test'
import { Failure } from '../../../errors/errors.ts'
import { type DownloadSource, withSource } from '../redirects.ts'
import { type Internet, type InternetOptions, openInternet, PUBLIC_ADDRESS } from './internet.ts'

const neverAborted = new AbortController().signal
const textOf = async (source: DownloadSource) =>
  Buffer.concat(await Array.fromAsync(source.bytes)).toString('latin1')

export function useInternet() {
  let internet: Internet | undefined
  afterEach(() => internet?.[Symbol.asyncDispose]())

  return {
    /**
     * Opens a fake internet with two names, `bilder.example` and `sicher.example`; its certificate is for
     * `sicher.example`.
     */
    async prepare(options: InternetOptions = {}): Promise<Internet> {
      internet = await openInternet(options)
      internet.names.set('bilder.example', [[PUBLIC_ADDRESS]])
      internet.names.set('sicher.example', [[PUBLIC_ADDRESS]])
      return internet
    },
    /** The text of the file at an address, or the code of the refusal. */
    async fetchText(address: string, deadline: AbortSignal = neverAborted): Promise<string> {
      try {
        return await withSource(address, internet!.network, deadline, textOf)
      } catch (error) {
        if (error instanceof Failure) return error.code
        throw error
      }
    },
  }
}
