/** The header fields of a request. A name may occur several times. */
export class Fields {
  /** `names` are in lower case, `values` trimmed; a name and its value have the same index. */
  constructor(
    private readonly names: readonly string[],
    private readonly values: readonly string[],
  ) {}

  /** All values of a name, joined as `Headers` does (RFC 9110 section 5.3); null if there are none. */
  get(name: string): string | null {
    const wantedName = lowerCase(name)
    let joined: string | null = null
    for (let at = 0; at < this.names.length; at++)
      if (this.names[at] === wantedName) joined = joinedValue(joined, wantedName, this.values[at]!)
    return joined
  }

  has(name: string): boolean {
    return this.names.includes(lowerCase(name))
  }

  /** The same fields with `value` as the only value of `name`, which must be in lower case. */
  with(name: string, value: string): Fields {
    const otherIndexes = this.names.flatMap((otherName, at) => (otherName === name ? [] : [at]))
    return new Fields(
      [...otherIndexes.map(at => this.names[at]!), name],
      [...otherIndexes.map(at => this.values[at]!), value],
    )
  }

  keys(): IterableIterator<string> {
    return new Set(this.names).keys()
  }
}

function joinedValue(earlierValue: string | null, name: string, value: string): string {
  if (earlierValue === null) return value
  return `${earlierValue}${name === 'cookie' ? '; ' : ', '}${value}`
}

/** Names in lower case, cached because the service looks up the same few names again and again. */
const LOWER_CASE_NAMES = new Map<string, string>()
const MAX_CACHED_NAMES = 1000

function lowerCase(name: string): string {
  let lowerCased = LOWER_CASE_NAMES.get(name)
  if (lowerCased === undefined) {
    lowerCased = name.toLowerCase()
    if (LOWER_CASE_NAMES.size < MAX_CACHED_NAMES) LOWER_CASE_NAMES.set(name, lowerCased)
  }
  return lowerCased
}
