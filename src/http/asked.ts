/** What a request asks for: the part of a request that a reader of files sends. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
}
