/** clients/typescript as one JavaScript module, as its README says to make one. */
import { join, resolve } from 'node:path'

export const TYPESCRIPT_CLIENT = resolve(import.meta.dir, '../../clients/typescript')

export async function bundledClient(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(TYPESCRIPT_CLIENT, 'fundus.ts')],
    format: 'esm',
    target: 'browser',
  })
  return outputs[0]!.text()
}
