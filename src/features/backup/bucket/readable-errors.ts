/** Turns errors of the store into `BackupTrouble`, which says in a sentence why the bucket cannot be used. */
import { backupTrouble } from '../../../errors/errors.ts'
import { StorageFullError, StorageUnavailableError } from '../../../storage/storage.ts'
import type { Place } from '../places/place.ts'

export const isStoreError = (error: unknown) =>
  error instanceof StorageUnavailableError || error instanceof StorageFullError

const readableError = (targetName: string, error: unknown) =>
  isStoreError(error) ? backupTrouble.bucketUnusable(targetName, error) : error

export async function withReadableError<T>(targetName: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw readableError(targetName, error)
  }
}

/**
 * Wraps the target, so that its operations, and the streams that they return, throw `BackupTrouble` for
 * errors of the store.
 */
export function placeWithReadableErrors(place: Place): Place {
  async function* stream<T>(chunks: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* chunks
    } catch (error) {
      throw readableError(place.name, error)
    }
  }
  return new Proxy(place, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result: unknown = value(...args)
        return result instanceof Promise
          ? result.catch(error => Promise.reject(readableError(place.name, error)))
          : stream(result as AsyncIterable<unknown>)
      }
    },
  })
}
