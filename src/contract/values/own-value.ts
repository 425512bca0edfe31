/**
 * The value that a record has under a name from outside; undefined where it has none of its own. Plain
 * indexing would also find what every object inherits: `constructor`, `__proto__`.
 * `test/source/records.test.ts` finds where it is forgotten.
 */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
