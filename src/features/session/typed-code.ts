/**
 * The normal form of a code that a person typed: upper case, without spaces and dashes, with digits instead
 * of `O`, `I` and `L`.
 */
export const normalizeTypedCode = (code: string) =>
  code.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
