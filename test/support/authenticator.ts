/**
 * A passkey without a browser: creates the answers of an authenticator (WebAuthn §6) for the options of the
 * service. ES256, attestation `none`.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

interface Options {
  challenge: string
  user?: { id: string }
}

export interface AuthenticatorFacts {
  /** The origin that the browser would write into the client data. */
  origin: string
  rpId?: string
  isVerified?: boolean
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const CREDENTIAL_DATA = 0x40

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export type Authenticator = ReturnType<typeof createAuthenticator>

export function createAuthenticator({
  origin,
  rpId = new URL(origin).hostname,
  isVerified = true,
}: AuthenticatorFacts) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userHandle = ''
  const state = { counter: 0 }

  const clientData = (type: 'webauthn.create' | 'webauthn.get', { challenge }: Options) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (flags: number) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    const verified = isVerified ? USER_VERIFIED : 0
    return Buffer.concat([sha256(rpId), Buffer.of(flags | USER_PRESENT | verified), counter])
  }
  const credential = (response: object) => ({
    ...{ id: base64url(id), rawId: base64url(id), type: 'public-key', response },
    clientExtensionResults: {},
  })

  return {
    /** The counter of the last signature; set it back to imitate a copied passkey. */
    state,
    create(options: Options) {
      userHandle = options.user?.id ?? ''
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = Buffer.concat([
        authenticatorData(CREDENTIAL_DATA),
        // The AAGUID, which is zero without attestation.
        Buffer.alloc(16),
        length,
        id,
        cose(publicKey.export({ format: 'jwk' })),
      ])
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', options)),
        attestationObject: base64url(attestation(data)),
        transports: ['internal'],
      })
    },
    get(options: Options) {
      state.counter++
      const data = authenticatorData(0)
      const client = clientData('webauthn.get', options)
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle,
      })
    },
  }
}

/** COSE_Key of an ES256 key (RFC 9053 §7.1.1), as CBOR. */
const cose = ({ x = '', y = '' }: { x?: string; y?: string }) =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

/** `{fmt: 'none', attStmt: {}, authData}` as CBOR. */
function attestation(data: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length)
  const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
  return Buffer.concat([
    Buffer.of(0xa3),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0), text('authData')],
    Buffer.concat([Buffer.of(0x59), length, data]),
  ])
}
