/** For tests: fetches in a fake internet per test. */
import { afterEach } from 'bun:test'
import { Failure } from '../../../errors/errors.ts'
import { type Source, withSource } from '../redirects.ts'
import { type Internet, type InternetOptions, openInternet, PUBLIC_ADDRESS } from './internet.ts'

const forever = new AbortController().signal
const text = async (source: Source) => Buffer.concat(await Array.fromAsync(source.bytes)).toString('latin1')

export function useInternet() {
  let internet: Internet | undefined
  afterEach(() => internet?.[Symbol.asyncDispose]())

  return {
    /** With two names, `bilder.example` and `sicher.example`; the certificate is for `sicher.example`. */
    async prepare(options: InternetOptions = {}): Promise<Internet> {
      internet = await openInternet(options)
      internet.names.set('bilder.example', [[PUBLIC_ADDRESS]])
      internet.names.set('sicher.example', [[PUBLIC_ADDRESS]])
      return internet
    },
    /** The text of the file at an address, or the code of the refusal. */
    async get(address: string, time: AbortSignal = forever): Promise<string> {
      try {
        return await withSource(address, internet!.network, time, text)
      } catch (error) {
        if (error instanceof Failure) return error.code
        throw error
      }
    },
  }
}
