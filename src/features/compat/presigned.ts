/** Presigned addresses do not exist here; a client that asks for one is told so, whatever its spelling. */
import { failure } from '../../errors.ts'
import { preflight } from '../../http/cors.ts'

export const PRESIGNED = '/api/:call{(.*/)?presigned-url.*}'

export function refusePresigned({ req }: { req: { method: string; raw: Request } }): Response {
  if (req.method === 'OPTIONS') return preflight(req.raw, ['GET', 'POST', 'PUT', 'OPTIONS'])
  throw failure.presignedUnknown()
}
