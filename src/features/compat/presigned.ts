/** Presigned addresses do not exist here; a client that asks for one is told so, whatever its spelling. */
import { failure } from '../../errors.ts'
import { preflight } from '../../http/cors.ts'

export const PRESIGNED = '/api/:call{(.*/)?presigned-url.*}'

export function refusePresigned(context: { req: { method: string } }): Response {
  if (context.req.method === 'OPTIONS') return preflight(['GET', 'POST', 'PUT', 'OPTIONS'])
  throw failure.presignedUnknown()
}
