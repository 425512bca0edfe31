/** Under which host name a request came in; the setting `FILES_HOST` asks. */
import type { Asked } from '../asked.ts'

/** Whether the request came in under this host name, whatever its port. */
export const isForHost = (request: Asked, name: string) =>
  hostName(request.headers.get('Host') ?? '') === name

/**
 * The host name without its port and without a final dot: `example.org.` is the full spelling of
 * `example.org`.
 */
export const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
