/** Returns a function that lets the browser create a passkey and registers it with the service. */
import { startRegistration } from '@simplewebauthn/browser'
import { post } from '../../../api/client.ts'
import { usePasskeyError } from '../../../ui/passkey-errors.ts'

export function useAddPasskey() {
  const passkeyError = usePasskeyError()
  return async (name: string) => {
    const optionsJSON = await post('passkeys/optionen')
    const antwort = await startRegistration({ optionsJSON }).catch(error => {
      throw passkeyError(error, optionsJSON.rp.id)
    })
    return post('passkeys', { body: { name, antwort } })
  }
}
