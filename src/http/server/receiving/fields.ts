/** The header fields of a request, as they were sent: a name may come several times. */
export class Fields {
  /** `names` in small letters; `values` beside them, without blanks around. */
  constructor(
    private readonly names: readonly string[],
    private readonly values: readonly string[],
  ) {}

  /** The value; several of one name joined (RFC 9110 section 5.3), as `Headers` does. */
  get(name: string): string | null {
    const wanted = inSmallLetters(name)
    let found: string | null = null
    for (let at = 0; at < this.names.length; at++)
      if (this.names[at] === wanted) found = joinedValue(found, wanted, this.values[at]!)
    return found
  }

  has(name: string): boolean {
    return this.names.includes(inSmallLetters(name))
  }

  keys(): IterableIterator<string> {
    return new Set(this.names).keys()
  }
}

function joinedValue(before: string | null, name: string, value: string): string {
  if (before === null) return value
  return `${before}${name === 'cookie' ? '; ' : ', '}${value}`
}

/** The service asks for a few names, again and again. */
const SMALL = new Map<string, string>()
const SMALL_MOST = 1000

function inSmallLetters(name: string): string {
  let small = SMALL.get(name)
  if (small === undefined) {
    small = name.toLowerCase()
    if (SMALL.size < SMALL_MOST) SMALL.set(name, small)
  }
  return small
}
