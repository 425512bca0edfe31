/** A request without its body: all that serving a file needs. */
export interface BodilessRequest {
  readonly method: string
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
}
