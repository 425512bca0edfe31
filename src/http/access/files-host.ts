/** If `FILES_HOST` is set, decides by the host name in `Host` what a request may access. */
import type { BodilessRequest } from '../bodiless-request.ts'

/**
 * Whether the request may access stored files and shares. If `FILES_HOST` is set, they are served only under
 * that host.
 */
export const mayAccessFiles = (request: BodilessRequest, filesHost: string) =>
  filesHost === '' || isForHost(request, filesHost)

/**
 * Whether the request is for `FILES_HOST`. Under this host, the pages and routes of the dashboard are not
 * served.
 */
export const mayAccessOnlyFiles = (request: BodilessRequest, filesHost: string) =>
  filesHost !== '' && isForHost(request, filesHost)

const isForHost = (request: BodilessRequest, name: string) =>
  hostName(request.headers.get('Host') ?? '') === name

/** The host name without port and final dot: `example.org.` is the full form of `example.org`. */
export const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
