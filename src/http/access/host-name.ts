/** The host name of a request, for the setting `FILES_HOST`. */
import type { Asked } from '../asked.ts'

export const isForHost = (request: Asked, name: string) =>
  hostName(request.headers.get('Host') ?? '') === name

/** Without port and without a final dot: `example.org.` is the full form of `example.org`. */
export const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
