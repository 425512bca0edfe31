/** The part of the package that the tests use; it comes without types. */
declare module 'oidc-provider' {
  export default class Provider {
    constructor(issuer: string, options: Record<string, unknown>)
    listen(port: number, host: string): import('node:http').Server
  }
}
