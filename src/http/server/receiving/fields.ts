/** The header fields of a request, as they were sent: a name may occur several times. */
export class Fields {
  /** `names` are in lower case, `values` trimmed; a name and its value have the same index. */
  constructor(
    private readonly names: readonly string[],
    private readonly values: readonly string[],
  ) {}

  /** All values of a name, joined as `Headers` does (RFC 9110 section 5.3). */
  get(name: string): string | null {
    const wanted = lowerCase(name)
    let found: string | null = null
    for (let at = 0; at < this.names.length; at++)
      if (this.names[at] === wanted) found = joinedValue(found, wanted, this.values[at]!)
    return found
  }

  has(name: string): boolean {
    return this.names.includes(lowerCase(name))
  }

  /** The same fields with `value` as the only value of `name`, which must be in lower case. */
  with(name: string, value: string): Fields {
    const others = this.names.flatMap((each, at) => (each === name ? [] : [at]))
    return new Fields(
      [...others.map(at => this.names[at]!), name],
      [...others.map(at => this.values[at]!), value],
    )
  }

  keys(): IterableIterator<string> {
    return new Set(this.names).keys()
  }
}

function joinedValue(before: string | null, name: string, value: string): string {
  if (before === null) return value
  return `${before}${name === 'cookie' ? '; ' : ', '}${value}`
}

/** Names in lower case, cached because the service looks up the same few names again and again. */
const SMALL = new Map<string, string>()
const MAX_CACHED_NAMES = 1000

function lowerCase(name: string): string {
  let small = SMALL.get(name)
  if (small === undefined) {
    small = name.toLowerCase()
    if (SMALL.size < MAX_CACHED_NAMES) SMALL.set(name, small)
  }
  return small
}
