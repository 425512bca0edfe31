/** Determines whether a bucket is encrypted. If it is, opens its key, or creates the key of a new bucket. */
import { setTimeout as sleep } from 'node:timers/promises'
import { generateX25519Identity } from 'age-encryption'
import { SECOND } from '../../../contract/values/units.ts'
import { backupTrouble } from '../../../errors/errors.ts'
import type { BucketFiles } from '../../../storage/s3/bucket-files.ts'
import { makeKey, openKey } from './age-key.ts'
import { createSealing, NO_SEALING, type Sealing } from './sealing.ts'

export const KEY_FILE = 'schluessel.age'

export interface SealingOptions {
  targetName: string
  password: string
  /** Whether to create the key if an encrypted bucket has none yet. */
  createKey: boolean
  /** Milliseconds before a new key is read back, in a store without conditional requests. */
  keySettlingTime?: number
}

/**
 * Milliseconds before a new key is read back, in a store without conditional requests. In such a store,
 * another process that did not find a key either may overwrite the new key with its own. After this time, the
 * write of that process should be complete, so that the key no longer changes.
 */
const KEY_SETTLING_TIME = 30 * SECOND

/**
 * Returns the encryption of the files in this bucket (`NO_SEALING` without a password). Rejects with
 * `BackupTrouble` if the password is wrong, missing, or set although the bucket has unencrypted archives.
 */
export async function openSealing(files: BucketFiles, options: SealingOptions): Promise<Sealing> {
  const { targetName, password, createKey, keySettlingTime = KEY_SETTLING_TIME } = options
  let keyFile = await readKey(files)
  if (password === '') {
    if (keyFile !== null) throw backupTrouble.bucketEncrypted(targetName)
    return NO_SEALING
  }
  if (keyFile === null) {
    for await (const _ of files.list('fundus-')) throw backupTrouble.bucketPlain(targetName)
    // There is no archive to decrypt, so any key will do. It is not stored.
    if (!createKey) return createSealing(await generateX25519Identity())
    // If another process creates the key at the same time, both use the one that is stored in the end.
    if (!(await files.create(KEY_FILE, (await makeKey(password)).file))) await sleep(keySettlingTime)
    keyFile = await readKey(files)
  }
  // The stored key is opened before anything is encrypted with it: a backup with an unusable key would be
  // lost.
  const identity = keyFile && (await openKey(keyFile, password))
  if (identity === null) throw backupTrouble.bucketPassword(targetName)
  return createSealing(identity)
}

async function readKey(files: BucketFiles): Promise<Uint8Array<ArrayBuffer> | null> {
  if ((await files.size(KEY_FILE)) === null) return null
  return new Uint8Array(Buffer.concat(await Array.fromAsync(files.read(KEY_FILE))))
}
