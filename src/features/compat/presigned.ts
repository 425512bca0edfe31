/**
 * Presigned addresses do not exist in this service. A client that asks for one is told so, however it spells the call.
 */
import { failure } from '../../errors.ts'
import { preflight } from '../../http/cors.ts'

export const PRESIGNED = '/api/:call{(.*/)?presigned-url.*}'

export function refusePresigned({ req }: { req: { method: string; raw: Request } }): Response {
  if (req.method === 'OPTIONS') return preflight(req.raw, ['GET', 'POST', 'PUT', 'OPTIONS'])
  throw failure.presignedUnknown()
}
