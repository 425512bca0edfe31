/**
 * The key of an encrypted backup target: an age identity. It is stored at the target in a file that is
 * encrypted with the password (`age -d -i schluessel.age <file>` asks for the password). So the slow
 * derivation of a key from the password is needed only when the target is opened, and not for every file.
 */
import { generateX25519Identity } from 'age-encryption'
import { entryPoint } from '../../../base/program-files.ts'

export type KeyRequest = { password: string } & ({ identity: string } | { file: Uint8Array<ArrayBuffer> })
export type KeyResponse = { file: Uint8Array } | { identity: string } | { error: string }

/** Generates an identity. `file` contains the identity, encrypted with the password. */
export async function makeKey(
  password: string,
): Promise<{ identity: string; file: Uint8Array<ArrayBuffer> }> {
  const identity = await generateX25519Identity()
  const answer = await askWorker({ password, identity })
  if (!('file' in answer)) throw new Error('the key could not be encrypted', { cause: answer })
  return { identity, file: new Uint8Array(answer.file) }
}

/** Decrypts a key file. Returns the identity; null if the password does not decrypt the file. */
export async function openKey(file: Uint8Array<ArrayBuffer>, password: string): Promise<string | null> {
  const answer = await askWorker({ password, file })
  return 'identity' in answer ? answer.identity : null
}

async function askWorker(request: KeyRequest): Promise<KeyResponse> {
  const worker = new Worker(entryPoint('ageKey').href)
  const { promise, resolve, reject } = Promise.withResolvers<KeyResponse>()
  worker.onmessage = ({ data }: MessageEvent<KeyResponse>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`the thread for the key was lost: ${message}`))
  worker.postMessage(request)
  return promise.finally(() => worker.terminate())
}
