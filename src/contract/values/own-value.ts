/**
 * The record's own property `name`; undefined if it has none. The name may come from a request, and plain
 * indexing would also find inherited properties such as `constructor` and `__proto__`.
 * `test/source/records.test.ts` finds code that should use this function and does not.
 */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
