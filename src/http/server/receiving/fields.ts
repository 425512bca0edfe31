/** The header fields of a request. A name may occur several times. */
export class HeaderFields {
  /** `names` are in lower case, `values` trimmed; a name and its value have the same index. */
  constructor(
    private readonly names: readonly string[],
    private readonly values: readonly string[],
  ) {}

  /**
   * All values of a name, joined with commas (RFC 9110 section 5.3), those of `Cookie` with semicolons; null
   * if there are none.
   */
  get(name: string): string | null {
    const wantedName = lowerCase(name)
    let joinedValues: string | null = null
    for (let index = 0; index < this.names.length; index++)
      if (this.names[index] === wantedName)
        joinedValues = joinValues(joinedValues, wantedName, this.values[index]!)
    return joinedValues
  }

  has(name: string): boolean {
    return this.names.includes(lowerCase(name))
  }

  /** The same fields with `value` as the only value of `name`, which must be in lower case. */
  withField(name: string, value: string): HeaderFields {
    const otherIndexes = this.names.flatMap((otherName, index) => (otherName === name ? [] : [index]))
    return new HeaderFields(
      [...otherIndexes.map(index => this.names[index]!), name],
      [...otherIndexes.map(index => this.values[index]!), value],
    )
  }

  keys(): IterableIterator<string> {
    return new Set(this.names).keys()
  }
}

function joinValues(earlierValue: string | null, name: string, value: string): string {
  if (earlierValue === null) return value
  return `${earlierValue}${name === 'cookie' ? '; ' : ', '}${value}`
}

/** Names in lower case, cached because the service looks up the same few names again and again. */
const LOWER_CASE_NAMES = new Map<string, string>()
const MAX_CACHED_NAMES = 1000

function lowerCase(name: string): string {
  let lowerCaseName = LOWER_CASE_NAMES.get(name)
  if (lowerCaseName === undefined) {
    lowerCaseName = name.toLowerCase()
    if (LOWER_CASE_NAMES.size < MAX_CACHED_NAMES) LOWER_CASE_NAMES.set(name, lowerCaseName)
  }
  return lowerCaseName
}
