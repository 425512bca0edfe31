/** What a request may access under the host name that it was sent to, if `FILES_HOST` is set. */
import type { RequestHead } from '../request-head.ts'

/** Stored files and shares are served only under `FILES_HOST`. */
export const mayAskForFiles = (request: RequestHead, filesHost: string) =>
  filesHost === '' || isForHost(request, filesHost)

/** Under `FILES_HOST` only files and shares are served: neither the dashboard nor another page. */
export const mayAskOnlyForFiles = (request: RequestHead, filesHost: string) =>
  filesHost !== '' && isForHost(request, filesHost)

const isForHost = (request: RequestHead, name: string) => hostName(request.headers.get('Host') ?? '') === name

/** The host name without port and final dot: `example.org.` is the full form of `example.org`. */
export const hostName = (host: string) => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
