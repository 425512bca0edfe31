/** clients/typescript as one JavaScript module, built as its README says. */
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
