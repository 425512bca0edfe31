/**
 * The own property of a record by a name from outside; undefined if there is none. Plain indexing would also
 * find inherited ones: `constructor`, `__proto__`. `test/source/records.test.ts` finds code that should use
 * this function and does not.
 */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
