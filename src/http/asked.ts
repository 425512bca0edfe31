/** The part of a request that serving files needs. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
}
