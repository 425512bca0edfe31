/** For tests: fetches in a small internet that each test makes for itself. */
import { afterEach } from 'bun:test'
import { Failure } from '../../../errors.ts'
import { type Source, withSource } from '../source.ts'
import { createWorld, PUBLIC, type World, type WorldOptions } from './world.ts'

const forever = new AbortController().signal
const text = async (source: Source) => Buffer.concat(await Array.fromAsync(source.bytes)).toString('latin1')

export function useWorld() {
  let world: World | undefined
  afterEach(() => world?.[Symbol.asyncDispose]())

  return {
    /** Makes a world with two names, `bilder.example` and `sicher.example`; the certificate names `sicher.example`. */
    async prepare(options: WorldOptions = {}): Promise<World> {
      world = await createWorld(options)
      world.names.set('bilder.example', [[PUBLIC]])
      world.names.set('sicher.example', [[PUBLIC]])
      return world
    },
    /** The text of the file at an address, or the code of the refusal. */
    async get(address: string, time: AbortSignal = forever): Promise<string> {
      try {
        return await withSource(address, world!.network, time, text)
      } catch (error) {
        if (error instanceof Failure) return error.code
        throw error
      }
    },
  }
}
