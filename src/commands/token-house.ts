/** What the `token` commands share: the tokens of the data folder. */

import { openAdapters } from '../adapters.ts'
import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import { createLastUsed } from '../features/tokens/last-used.ts'
import { createTokens, type Tokens } from '../features/tokens/tokens.ts'
import { newId } from '../ids.ts'
import { UsageError } from './command.ts'

/** Runs `work` on the tokens; what the service would answer as an error is told as a sentence. */
export async function withTokens<T>(config: Config, work: (tokens: Tokens) => Promise<T>): Promise<T> {
  const { database } = await openAdapters(config)
  try {
    const lastUsed = createLastUsed({ database, now: Date.now })
    return await work(createTokens({ database, lastUsed, newId, now: Date.now }))
  } catch (error) {
    throw error instanceof Failure ? new UsageError(error.sentence) : error
  } finally {
    await database.close()
  }
}
