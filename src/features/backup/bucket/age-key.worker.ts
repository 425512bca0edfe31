/**
 * The thread that `age-key.ts` starts, because deriving a key from a password takes about a second of
 * processor time.
 */
import { Decrypter, Encrypter } from 'age-encryption'
import type { KeyRequest, KeyResponse } from './age-key.ts'

/** Base-2 logarithm of the cost of scrypt. 16 takes 64 MB of memory; the default of 18 would take 256 MB. */
const WORK_FACTOR = 16

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<KeyRequest>) => self.postMessage(await answerTo(data))

async function answerTo(request: KeyRequest): Promise<KeyResponse> {
  const { password } = request
  try {
    if ('identity' in request) {
      const encrypter = new Encrypter()
      encrypter.setPassphrase(password)
      encrypter.setScryptWorkFactor(WORK_FACTOR)
      return { file: await encrypter.encrypt(`${request.identity}\n`) }
    }
    const decrypter = new Decrypter()
    decrypter.addPassphrase(password)
    return { identity: (await decrypter.decrypt(request.file, 'text')).trim() }
  } catch (error) {
    return { error: String(error) }
  }
}
