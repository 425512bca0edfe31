/**
 * Prevents new properties from being added to the prototypes of `Object`, `Array`, `Function` and `String`: a
 * second line of defence against names such as `__proto__` in requests. (The first is that such a name never
 * indexes an object, see `contract/values/own-value.ts`.) The prototypes are not frozen, so that libraries
 * can still define `toString`; `__proto__` is not removed, because the runtime (Bun 1.4.4) reads it for its
 * events.
 */
export function sealPrototypes(): void {
  for (const { prototype } of [Object, Array, Function, String]) Object.preventExtensions(prototype)
}
