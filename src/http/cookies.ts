/** Every value a request carries under a cookie's name: there can be several, from different hosts and paths. */
export function cookieValues(request: Request, name: string): string[] {
  const pairs = (request.headers.get('Cookie') ?? '').split(';').map(pair => pair.trim())
  return pairs.filter(pair => pair.startsWith(`${name}=`)).map(pair => pair.slice(name.length + 1))
}
