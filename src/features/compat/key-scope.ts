/**
 * Authenticates callers of the compatibility routes. Clients send the key in the `Authorization` header, with
 * or without `Bearer`, or in the query parameter `apiKey`.
 */
import type { Token } from '../../http/access/actor.ts'
import type { RouteScope } from '../../http/routes.ts'
import { queryOf } from '../../http/url-parts.ts'
import type { Tokens } from '../tokens/tokens.ts'

const AUTHORIZATION_PATTERN = /^\s*(?:Bearer\s+)?(\S+)\s*$/i

export function keyScope(tokens: Tokens): RouteScope<Token> {
  return request => {
    const headerKey = AUTHORIZATION_PATTERN.exec(request.headers.get('Authorization') ?? '')?.[1]
    return tokens.authenticate(headerKey ?? queryOf(request.url).get('apiKey')?.trim() ?? null)
  }
}
