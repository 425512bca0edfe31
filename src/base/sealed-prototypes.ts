/**
 * The second line of defence against names such as `__proto__` in requests: what every object inherits takes
 * no new property. The first one is that no such name indexes an object (`contract/values/own-value.ts`).
 * Neither frozen, since libraries could then no longer give an object of their own a `toString`, nor without
 * `__proto__`, which the runtime's events (1.4.4) read.
 */
export function sealPrototypes(): void {
  for (const { prototype } of [Object, Array, Function, String]) Object.preventExtensions(prototype)
}
