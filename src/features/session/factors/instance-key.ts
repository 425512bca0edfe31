/**
 * Encrypts (“seals”) short texts with the key of the instance, which every process reads from the store:
 * `fundus.key` in the data folder, or an object in the bucket. No backup contains the key, so whoever has
 * only the database or a backup archive can neither read nor forge sealed texts.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Storage } from '../../../storage/storage.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A sealed text can be opened only for the purpose for which it was sealed. */
export type SealPurpose = `totp ${string}` | 'login-step' | 'passkey-sign-in' | `passkey ${string}`

export type InstanceKey = ReturnType<typeof createInstanceKey>

export function createInstanceKey({ storage }: { storage: Pick<Storage, 'readKey' | 'writeKey'> }) {
  let cachedKey: Buffer | null = null

  async function readKey(): Promise<Buffer | null> {
    cachedKey ??= decodeKey(await storage.readKey())
    return cachedKey
  }

  /**
   * Returns the stored key; creates one if there is none. If another process has stored a key meanwhile, that
   * key is used.
   */
  async function readOrCreateKey(): Promise<Buffer> {
    const key = await readKey()
    if (key) return key
    await storage.writeKey(`${randomBytes(KEY_BYTES).toString('base64url')}\n`, { replace: false })
    return readOrCreateKey()
  }

  return {
    async seal(purpose: SealPurpose, text: string): Promise<string> {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, await readOrCreateKey(), nonce).setAAD(Buffer.from(purpose))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url')
    },

    /** Decrypts a text; null if it was not sealed for this purpose with this key. */
    async open(purpose: SealPurpose, sealedText: string): Promise<string | null> {
      const bytes = Buffer.from(sealedText, 'base64url')
      const key = await readKey()
      if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const encrypted = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
        return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

function decodeKey(text: string | null): Buffer | null {
  if (text === null) return null
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length !== KEY_BYTES) throw new Error('the key of the instance is unusable')
  return key
}
